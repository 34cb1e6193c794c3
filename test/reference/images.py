"""Small images in every format that readImages reads, with the numbers that it must give.

Run: python test/reference/images.py   (writes images.json and the files of the folder images beside it)
Needs pydicom >= 3, imagecodecs, nibabel and numpy. The numbers are those that were written, not what a reader made of
them; for lossy JPEG they are what imagecodecs decodes. Patients are called P1, P2; no image is of a person.
"""
import gzip
import json
import platform
import struct
import zlib
from pathlib import Path

import imagecodecs
import nibabel
import numpy as np
import pydicom
import pydicom.pixels
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate, encapsulate_extended
from pydicom.sequence import Sequence

HERE = Path(__file__).parent
FOLDER = HERE / "images"
FOLDER.mkdir(exist_ok=True)
for old in FOLDER.iterdir():
    old.unlink()
UID = "1.2.840.10008.1.2"
N = 16
rng = np.random.RandomState(18)
rows, columns = np.mgrid[:N, :N]
cases = {}


def grey(bits=12, low=0):
    """A ramp with a disc and noise, over the whole range of the bits."""
    top = 2**bits - 1
    image = (rows * N + columns) / (N * N) * top * 0.8 + 0.2 * top * ((rows - 8) ** 2 + (columns - 8) ** 2 < 20)
    image = np.clip(image + rng.randint(-3, 4, (N, N)), 0, top)
    image[0, 0], image[0, 1] = 0, top
    return (image + low).astype(np.int32)


def smooth_colour():
    return np.stack([rows * 15, columns * 15, (rows + columns) * 7], -1).astype(np.uint8)


def dicom(name, array, syntax, frames=None, bits=12, signed=False, photometric="MONOCHROME2", patient="P1", study="1",
          series="1", site="S1", offsets=True, allocated=None, high=None, pixels=None, **more):
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = syntax
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.7"
    meta.MediaStorageSOPInstanceUID = f"1.2.3.{len(cases)}"
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID = meta.MediaStorageSOPClassUID
    data.SOPInstanceUID = meta.MediaStorageSOPInstanceUID
    if site:
        data.InstitutionName = site
    if patient:
        data.PatientID = patient
    data.StudyInstanceUID = f"1.2.3.4.{study}"
    data.SeriesInstanceUID = f"1.2.3.4.{study}.{series}"
    colour = photometric not in ("MONOCHROME1", "MONOCHROME2")
    data.SamplesPerPixel = 3 if colour else 1
    data.PhotometricInterpretation = photometric
    data.Rows = data.Columns = N
    data.BitsAllocated = allocated or (8 if bits <= 8 else 16)
    data.BitsStored = bits
    data.HighBit = high if high is not None else bits - 1
    data.PixelRepresentation = int(signed)
    if colour:
        data.PlanarConfiguration = more.pop("PlanarConfiguration", 0)
    if frames is not None:
        data.NumberOfFrames = len(frames)
    for key, value in more.items():
        setattr(data, key, value) if value is not None else delattr(data, key)
    compressed = syntax not in (UID, UID + ".1", UID + ".2", UID + ".1.99")
    encoded = pixels if pixels is not None else array
    if compressed:
        data.PixelData = encapsulate(encoded if isinstance(encoded, list) else [encoded], has_bot=offsets)
        data["PixelData"].is_undefined_length = True
    else:
        data.PixelData = encoded
    data["PixelData"].VR = "OB" if compressed or data.BitsAllocated == 8 else "OW"
    data.save_as(FOLDER / name, enforce_file_format=True, implicit_vr=syntax == UID, little_endian=syntax != UID + ".2")


def case(name, expected, tolerance=0, options=None, **more):
    expected = np.asarray(expected)
    cases[name] = {"shape": list(expected.shape), "values": expected.ravel().tolist(), "tolerance": tolerance,
                   "options": options or {}, **more}


def plain(array, order="<"):
    kind = {1: "u1", 2: order + "u2"}[1 if array.max() < 256 and array.min() >= 0 and array.dtype == np.uint8 else 2]
    return (array.astype(np.int64) & 0xFFFF).astype(kind).tobytes()


def rle(array, bytes_each):
    """Segments of PackBits: runs where three or more are equal, else literals (PS3.5 Annex G)."""
    flat = array.reshape(N * N, -1)
    segments = []
    for channel in range(flat.shape[1]):
        for byte in reversed(range(bytes_each)):
            segments.append(packbits(bytes(((flat[:, channel].astype(np.int64) >> (8 * byte)) & 255).astype(np.uint8))))
    offsets, at = [], 64
    for segment in segments:
        offsets.append(at)
        at += len(segment)
    return struct.pack("<16I", len(segments), *offsets, *[0] * (15 - len(segments))) + b"".join(segments)


def packbits(data):
    out, at = bytearray(), 0
    while at < len(data):
        run = 1
        while at + run < len(data) and run < 128 and data[at + run] == data[at]:
            run += 1
        if run >= 3:
            out += bytes([257 - run, data[at]])
            at += run
            continue
        end = at
        while end < len(data) and end - at < 128 and not (end + 2 < len(data) and data[end] == data[end + 1] == data[end + 2]):
            end += 1
        out += bytes([end - at - 1]) + data[at:end]
        at = end
    return bytes(out) + (b"\0" if len(out) % 2 else b"")


image = grey()
full = grey(16)
byte = grey(8).astype(np.uint8)
signed = grey(12, -1024)
one = lambda a: a.reshape(1, N, N, 1)

# Without compression.
dicom("explicit.dcm", plain(image), UID + ".1"); case("explicit.dcm", one(image))
dicom("implicit.dcm", plain(full), UID, bits=16); case("implicit.dcm", one(full))
dicom("big-endian.dcm", plain(image, ">"), UID + ".2"); case("big-endian.dcm", one(image))
dicom("deflated.dcm", plain(image), UID + ".1.99"); case("deflated.dcm", one(image))
dicom("byte.dcm", plain(byte), UID + ".1", bits=8); case("byte.dcm", one(byte))
dicom("signed.dcm", plain(signed), UID + ".1", bits=16, signed=True, RescaleSlope="2", RescaleIntercept="-5")
case("signed.dcm", one(signed * 2 - 5))
cases["signed.dcm as stored"] = {**cases["signed.dcm"], "file": "signed.dcm", "values": signed.ravel().tolist(), "options": {"values": "stored"}}
low = np.where(signed < 0, signed + 4096, signed)  # 12 bits with a sign, and foreign bits above them
dicom("signed12.dcm", plain(np.clip(signed, -2048, 2047) & 0xFFF | 0x5000), UID + ".1", bits=12, signed=True)
case("signed12.dcm", one(np.clip(signed, -2048, 2047)))
dicom("high-bit.dcm", plain(image << 4 | 7), UID + ".1", bits=12, high=15); case("high-bit.dcm", one(image))
dicom("monochrome1.dcm", plain(image), UID + ".1", photometric="MONOCHROME1", RescaleSlope="0.5", RescaleIntercept="1")
case("monochrome1.dcm", one((4095 - image) * 0.5 + 1))
cases["monochrome1.dcm not turned"] = {**cases["monochrome1.dcm"], "file": "monochrome1.dcm", "values": (image * 0.5 + 1).ravel().tolist(), "options": {"invertMonochrome1": False}}
dicom("signed-monochrome1.dcm", plain(np.clip(signed, -2048, 2047)), UID + ".1", bits=16, signed=True, photometric="MONOCHROME1")
case("signed-monochrome1.dcm", one(-1 - np.clip(signed, -2048, 2047)))
dicom("window.dcm", plain(image), UID + ".1", WindowCenter="1000", WindowWidth="800", RescaleSlope="1", RescaleIntercept="-100")
windowed = np.clip(((image - 100.0) - (1000 - 0.5)) / (800 - 1) + 0.5, 0, 1)
case("window.dcm", one(windowed), 1e-6, {"window": "file"})
cases["window.dcm by hand"] = {**cases["window.dcm"], "file": "window.dcm", "options": {"window": {"center": 1000, "width": 800}}}
dicom("window1.dcm", plain(image), UID + ".1", photometric="MONOCHROME1")
case("window1.dcm", one(1 - np.clip((image - (1000 - 0.5)) / (800 - 1) + 0.5, 0, 1)), 1e-6, {"window": {"center": 1000, "width": 800}})
stack = np.stack([grey() for _ in range(3)])
dicom("frames.dcm", plain(stack), UID + ".1", frames=stack); case("frames.dcm", stack[..., None])
cases["frames.dcm as a volume"] = {**cases["frames.dcm"], "file": "frames.dcm", "shape": [1, 3, N, N, 1], "options": {"rows": "volume"}}


def transformed(slope, intercept):
    item = Dataset()
    item.RescaleSlope, item.RescaleIntercept = str(slope), str(intercept)
    item.RescaleType = "US"
    group = Dataset()
    group.PixelValueTransformationSequence = Sequence([item])
    return group


dicom("enhanced.dcm", plain(stack), UID + ".1", frames=stack,
      PerFrameFunctionalGroupsSequence=Sequence([transformed(k + 1, -k) for k in range(3)]))
case("enhanced.dcm", np.stack([stack[k] * (k + 1) - k for k in range(3)])[..., None])
dicom("enhanced-shared.dcm", plain(stack), UID + ".1", frames=stack, SharedFunctionalGroupsSequence=Sequence([transformed(3, 4)]))
case("enhanced-shared.dcm", (stack * 3 + 4)[..., None])

# Colour.
colour = smooth_colour()
dicom("rgb.dcm", colour.tobytes(), UID + ".1", bits=8, photometric="RGB"); case("rgb.dcm", colour[None])
dicom("planar.dcm", np.moveaxis(colour, -1, 0).tobytes(), UID + ".1", bits=8, photometric="RGB", PlanarConfiguration=1)
case("planar.dcm", colour[None])
ybr = smooth_colour()
y, cb, cr = (ybr[..., k].astype(float) for k in range(3))
as_rgb = np.stack([y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128), y + 1.772 * (cb - 128)], -1)
as_rgb = np.clip(np.floor(as_rgb + 0.5), 0, 255)
dicom("ybr.dcm", ybr.tobytes(), UID + ".1", bits=8, photometric="YBR_FULL"); case("ybr.dcm", as_rgb[None])

# Compressed without loss.
two = full.astype(np.uint16)
dicom("rle.dcm", rle(two, 2), UID + ".5", bits=16); case("rle.dcm", one(full))
dicom("rle-rgb.dcm", rle(colour, 1), UID + ".5", bits=8, photometric="RGB", PlanarConfiguration=1); case("rle-rgb.dcm", colour[None])
dicom("rle-frames.dcm", [rle(each, 2) for each in stack], UID + ".5", frames=stack, offsets=False); case("rle-frames.dcm", stack[..., None])
dicom("lossless.dcm", imagecodecs.ljpeg_encode(two, bitspersample=16), UID + ".4.70", bits=16); case("lossless.dcm", one(full))
dicom("lossless-57.dcm", imagecodecs.ljpeg_encode(image.astype(np.uint16), bitspersample=12), UID + ".4.57"); case("lossless-57.dcm", one(image))
dicom("jpeg-ls.dcm", imagecodecs.jpegls_encode(two), UID + ".4.80", bits=16); case("jpeg-ls.dcm", one(full))
dicom("jpeg-ls-rgb.dcm", imagecodecs.jpegls_encode(colour), UID + ".4.80", bits=8, photometric="RGB"); case("jpeg-ls-rgb.dcm", colour[None])
dicom("jpeg2000.dcm", imagecodecs.jpeg2k_encode(two, level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=16)
case("jpeg2000.dcm", one(full))
dicom("jpeg2000-rgb.dcm", imagecodecs.jpeg2k_encode(colour, level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=8, photometric="YBR_RCT")
case("jpeg2000-rgb.dcm", colour[None])
dicom("jpeg2000-signed.dcm", imagecodecs.jpeg2k_encode(signed.astype(np.int16), level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=16, signed=True)
case("jpeg2000-signed.dcm", one(signed))
dicom("htj2k.dcm", imagecodecs.htj2k_encode(two, reversible=True), UID + ".4.201", bits=16); case("htj2k.dcm", one(full))
dicom("jpeg2000-frames.dcm", [imagecodecs.jpeg2k_encode(each.astype(np.uint16), level=0, codecformat="J2K", reversible=True) for each in stack], UID + ".4.90", frames=stack)
case("jpeg2000-frames.dcm", stack[..., None])

# JPEG of 8 bits: as imagecodecs decodes it. Decoders differ by a step or two.
jpeg = imagecodecs.jpeg8_encode(byte, level=95)
dicom("jpeg.dcm", jpeg, UID + ".4.50", bits=8); case("jpeg.dcm", one(imagecodecs.jpeg8_decode(jpeg)), 1)
jpeg = imagecodecs.jpeg8_encode(colour, level=95, subsampling="444")
dicom("jpeg-colour.dcm", jpeg, UID + ".4.50", bits=8, photometric="YBR_FULL"); case("jpeg-colour.dcm", imagecodecs.jpeg8_decode(jpeg)[None], 2)
(FOLDER / "colour.jpg").write_bytes(jpeg); case("colour.jpg", imagecodecs.jpeg8_decode(jpeg)[None], 2)
jpeg = imagecodecs.jpeg8_encode(byte, level=95)
(FOLDER / "grey.jpg").write_bytes(jpeg); case("grey.jpg", one(imagecodecs.jpeg8_decode(jpeg)), 1)

# PNG.
for name, array in {"grey8.png": byte, "grey16.png": two, "rgb.png": colour,
                    "rgba.png": np.concatenate([colour, byte[..., None]], -1), "rgb16.png": colour.astype(np.uint16) * 257}.items():
    (FOLDER / name).write_bytes(imagecodecs.png_encode(array))
    case(name, array.reshape(1, N, N, -1))


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


palette = rng.randint(0, 256, (16, 3)).astype(np.uint8)
index = (rows // 4 * 4 + columns // 4).astype(np.uint8)
(FOLDER / "palette.png").write_bytes(
    b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", N, N, 8, 3, 0, 0, 0)) + chunk(b"PLTE", palette.tobytes())
    + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + line.tobytes() for line in index))) + chunk(b"IEND", b""))
case("palette.png", palette[index][None])

# NIfTI: nibabel's axes are x, y, z; a row is y by x.
affine = np.array([[2, 0, 0, -10], [0, 3, 0, -20], [0, 0, 4, -30], [0, 0, 0, 1]], float)
volume = rng.randint(-1000, 1000, (5, 4, 3)).astype(np.int16)
for name in ("volume.nii", "volume.nii.gz"):
    nibabel.save(nibabel.Nifti1Image(volume, affine), FOLDER / name)
    case(name, volume.T[..., None], affine=affine.tolist())
    cases[name + " as a volume"] = {**cases[name], "file": name, "shape": [1, 3, 4, 5, 1], "options": {"rows": "volume"}}
scaled = nibabel.Nifti1Image(volume, affine)
scaled.header.set_slope_inter(0.5, 3)
scaled.to_filename(FOLDER / "scaled.nii.gz")
back = nibabel.load(FOLDER / "scaled.nii.gz")
case("scaled.nii.gz", np.asarray(back.dataobj).T[..., None], 1e-4)
times = rng.randint(0, 100, (5, 4, 3, 2)).astype(np.float32)
nibabel.save(nibabel.Nifti2Image(times, affine), FOLDER / "times.nii")
case("times.nii", times.T[..., None], options={"rows": "volume"})
swapped = nibabel.Nifti1Image(volume.astype(">i2"), affine, nibabel.Nifti1Header(endianness=">"))
nibabel.save(swapped, FOLDER / "big-endian.nii")
case("big-endian.nii", volume.T[..., None])

# Files that are easily read as other numbers. Windows and affines are those of pydicom and nibabel.
for name, curve in {"sigmoid.dcm": "SIGMOID", "exact.dcm": "LINEAR_EXACT"}.items():
    dicom(name, plain(image), UID + ".1", WindowCenter="1000", WindowWidth="800", VOILUTFunction=curve)
    data = pydicom.dcmread(FOLDER / name)
    case(name, one(pydicom.pixels.apply_windowing(data.pixel_array, data) / 4095), 1e-6, {"window": "file"})


def framed(*windows):
    groups = []
    for center, width in windows:
        item, group = Dataset(), Dataset()
        item.WindowCenter, item.WindowWidth = str(center), str(width)
        group.FrameVOILUTSequence = Sequence([item])
        groups.append(group)
    return Sequence(groups)


dicom("window-frames.dcm", plain(stack), UID + ".1", frames=stack, PerFrameFunctionalGroupsSequence=framed((1000, 801), (2000, 401), (5, 11)))
case("window-frames.dcm", np.stack([np.clip((stack[k] - (c - 0.5)) / (w - 1) + 0.5, 0, 1) for k, (c, w) in enumerate([(1000, 801), (2000, 401), (5, 11)])])[..., None], 1e-5, {"window": "file"})
dicom("enhanced-implicit.dcm", plain(stack), UID, frames=stack,
      PerFrameFunctionalGroupsSequence=Sequence([transformed(k + 1, -k) for k in range(3)]))
case("enhanced-implicit.dcm", np.stack([stack[k] * (k + 1) - k for k in range(3)])[..., None])
dicom("rgb12.dcm", (colour.astype(np.uint16) << 4 | 3).tobytes(), UID + ".1", bits=12, photometric="RGB", high=15, allocated=16)
case("rgb12.dcm", colour[None])
dicom("rgb-mask.dcm", (colour.astype(np.uint16) | 0x5000).tobytes(), UID + ".1", bits=12, photometric="RGB"); case("rgb-mask.dcm", colour[None])
# Words of two pixels, their bytes swapped: VR OW with 8 bits in big endian (PS3.5 A.3).
dicom("big-endian-words.dcm", byte.reshape(-1, 2)[:, ::-1].tobytes(), UID + ".2", bits=8)
raw = (FOLDER / "big-endian-words.dcm").read_bytes()
at = raw.rindex(b"\x7f\xe0\x00\x10OB")
(FOLDER / "big-endian-words.dcm").write_bytes(raw[:at + 4] + b"OW" + raw[at + 6:])
case("big-endian-words.dcm", one(byte))
assert (pydicom.dcmread(FOLDER / "big-endian-words.dcm").pixel_array == byte).all()
as_ybr = pydicom.pixels.convert_color_space(colour, "RGB", "YBR_FULL")
back = pydicom.pixels.convert_color_space(as_ybr, "YBR_FULL", "RGB")[None]
dicom("jpeg2000-ybr.dcm", imagecodecs.jpeg2k_encode(as_ybr, level=0, codecformat="J2K", reversible=True, mct=False), UID + ".4.90", bits=8, photometric="YBR_FULL")
case("jpeg2000-ybr.dcm", back)
dicom("jpeg-ls-ybr.dcm", imagecodecs.jpegls_encode(as_ybr), UID + ".4.80", bits=8, photometric="YBR_FULL"); case("jpeg-ls-ybr.dcm", back)
dicom("lossless-ybr.dcm", imagecodecs.jpeg8_encode(as_ybr, lossless=True), UID + ".4.70", bits=8, photometric="YBR_FULL"); case("lossless-ybr.dcm", back)
dicom("lossless-rgb.dcm", imagecodecs.jpeg8_encode(colour, lossless=True), UID + ".4.70", bits=8, photometric="RGB"); case("lossless-rgb.dcm", colour[None])
limited = np.clip(signed, -2048, 2047).astype(np.int16)
dicom("jpeg2000-signed12.dcm", imagecodecs.jpeg2k_encode(limited, level=0, codecformat="J2K", reversible=True, bitspersample=12), UID + ".4.90", signed=True)
case("jpeg2000-signed12.dcm", one(limited))
dicom("jpeg2000-two-complement.dcm", imagecodecs.jpeg2k_encode(signed.astype(np.int16).view(np.uint16), level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=16, signed=True)
case("jpeg2000-two-complement.dcm", one(signed))
dicom("jpeg2000-few-bits.dcm", imagecodecs.jpeg2k_encode(image.astype(np.uint16), level=0, codecformat="J2K", reversible=True, bitspersample=12), UID + ".4.90", bits=16)
case("jpeg2000-few-bits.dcm", one(image))
dicom("padding.dcm", plain(signed), UID + ".1", bits=16, signed=True, PixelPaddingValue=-1024, BurnedInAnnotation="YES")
case("padding.dcm", one(signed), notes=["pixel padding", "text is burned"])
for modality in ("CT", "MR"):
    dicom(f"{modality.lower()}.dcm", plain(image), UID + ".1", Modality=modality); case(f"{modality.lower()}.dcm", one(image))
dicom("excess.dcm", plain(image) + bytes(100), UID + ".1"); case("excess.dcm", one(image), notes=["more bytes than the header"])


def fragmented(name, frames, syntax, each=1, table=True, extended=False, **more):
    """Several fragments for a frame, with or without a table of offsets, or with an extended one."""
    dicom(name, frames, syntax, frames=frames, **more)
    data = pydicom.dcmread(FOLDER / name)
    if extended:
        data.PixelData, data.ExtendedOffsetTable, data.ExtendedOffsetTableLengths = encapsulate_extended(frames)
    else:
        data.PixelData = encapsulate(frames, fragments_per_frame=each, has_bot=table)
    data["PixelData"].is_undefined_length = True
    data.save_as(FOLDER / name)


jpegs = [imagecodecs.jpeg8_encode(byte // (k + 1), level=95) for k in range(3)]
jpegs_as = np.stack([imagecodecs.jpeg8_decode(each) for each in jpegs])[..., None]
wavelets = [imagecodecs.jpeg2k_encode(each.astype(np.uint16), level=0, codecformat="J2K", reversible=True) for each in stack]
fragmented("fragments-table.dcm", jpegs, UID + ".4.50", 3, bits=8); case("fragments-table.dcm", jpegs_as, 1)
fragmented("fragments-no-table.dcm", jpegs, UID + ".4.50", 3, False, bits=8); case("fragments-no-table.dcm", jpegs_as, 1)
fragmented("fragments-jpeg2000.dcm", wavelets, UID + ".4.90", 2); case("fragments-jpeg2000.dcm", stack[..., None])
fragmented("fragments-extended.dcm", wavelets, UID + ".4.90", extended=True); case("fragments-extended.dcm", stack[..., None])
# The table says in which order: frames 0, 1, 2 are the second, third and first fragment.
fragmented("fragments-order.dcm", [wavelets[2], wavelets[0], wavelets[1]], UID + ".4.90", extended=True)
data = pydicom.dcmread(FOLDER / "fragments-order.dcm")
for table in ("ExtendedOffsetTable", "ExtendedOffsetTableLengths"):
    first, second, third = struct.unpack("<3Q", getattr(data, table))
    setattr(data, table, struct.pack("<3Q", second, third, first))
data.save_as(FOLDER / "fragments-order.dcm")
case("fragments-order.dcm", stack[..., None])
fragmented("fragments-rle.dcm", [rle(each, 2) for each in stack], UID + ".5", 2); case("fragments-rle.dcm", stack[..., None])
fragmented("fragments-one.dcm", wavelets[:1], UID + ".4.90", 4, False); case("fragments-one.dcm", stack[:1, ..., None])

turned = np.array([[0, -3, 0, 5], [2, 0, 0, 6], [0, 0, -4, 7], [0, 0, 0, 1]], float)
for name, sform, qform, codes in (("sform.nii", affine, turned, (1, 2)), ("qform.nii", None, turned, (0, 1))):
    nifti = nibabel.Nifti1Image(volume, None)
    nifti.header.set_zooms((2, 3, 4))
    nifti.set_qform(qform, codes[1])
    nifti.set_sform(sform, codes[0])
    nibabel.save(nifti, FOLDER / name)
    case(name, volume.T[..., None], affine=nibabel.load(FOLDER / name).affine.tolist())
second = nibabel.Nifti2Image(volume, affine)
second.set_qform(turned, 4)
nibabel.save(second, FOLDER / "sform2.nii"); case("sform2.nii", volume.T[..., None], affine=affine.tolist())
# Half a turn, whose quaternion sums to a little more than 1 in 32 bits.
half = bytearray((FOLDER / "qform.nii").read_bytes())
struct.pack_into("<3f", half, 256, 0.6, 0.8, 0.0001)
(FOLDER / "half-turn.nii").write_bytes(half)
case("half-turn.nii", volume.T[..., None], affine=nibabel.load(FOLDER / "half-turn.nii").affine.tolist())
whole = (FOLDER / "volume.nii").read_bytes()
(FOLDER / "two-parts.nii.gz").write_bytes(gzip.compress(whole[:400], mtime=0) + gzip.compress(whole[400:], mtime=0))
case("two-parts.nii.gz", volume.T[..., None], affine=affine.tolist())
(FOLDER / "unplaced.nii").write_bytes(whole[:252] + bytes(4) + whole[256:])
case("unplaced.nii", volume.T[..., None], affine=np.diag([2.0, 3, 4, 1]).tolist(), notes=["neither sform nor qform"])


def png(name, depth, colour_type, lines, *chunks, interlaced=0, width=N):
    (FOLDER / name).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, N, depth, colour_type, 0, 0, interlaced)) + b"".join(chunks)
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(line) for line in lines))) + chunk(b"IEND", b""))


opacity = np.full(16, 255, np.uint8)
opacity[:3] = (0, 128, 7)
png("palette-alpha.png", 8, 3, index, chunk(b"PLTE", palette.tobytes()), chunk(b"tRNS", opacity[:3].tobytes()))
case("palette-alpha.png", np.concatenate([palette, opacity[:, None]], -1)[index][None])
png("palette2.png", 2, 3, np.packbits(np.unpackbits((index % 4)[:, :13, None], axis=-1)[..., 6:].reshape(N, -1), axis=1), chunk(b"PLTE", palette[:4].tobytes()), width=13)
case("palette2.png", palette[index % 4][None, :, :13])
png("clear.png", 8, 0, byte, chunk(b"tRNS", b"\0\5")); case("clear.png", one(byte), notes=["named as transparent"])
png("interlaced.png", 8, 0, [line for y, x, dy, dx in ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))
                             for line in byte[y::dy, x::dx]], interlaced=1)
case("interlaced.png", one(byte))
upright = (FOLDER / "grey.jpg").read_bytes()
exif = b"Exif\0\0" + b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, 6, 0, 0)
(FOLDER / "turned.jpg").write_bytes(upright[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + upright[2:])
case("turned.jpg", cases["grey.jpg"]["values"], 1, notes=["turned or mirrored"]); cases["turned.jpg"]["shape"] = [1, N, N, 1]

# What must be refused by name.
refused = {}
dicom("jpeg12.dcm", imagecodecs.jpeg_encode(image.astype(np.uint16), bitspersample=12), UID + ".4.51"); refused["jpeg12.dcm"] = "JPEG of 12 bits"
dicom("palette.dcm", byte.tobytes(), UID + ".1", bits=8, photometric="MONOCHROME2", PhotometricInterpretation="PALETTE COLOR")
refused["palette.dcm"] = "PALETTE COLOR with 1 channels"
dicom("mpeg.dcm", b"\0" * 8, UID + ".4.100", bits=8); refused["mpeg.dcm"] = "the transfer syntax 1.2.840.10008.1.2.4.100"
dicom("bits.dcm", b"\0" * 32, UID + ".1", bits=1, allocated=1); refused["bits.dcm"] = "8 or 16 bits per pixel"
report = pydicom.dcmread(FOLDER / "explicit.dcm")
del report.PixelData
report.save_as(FOLDER / "report.dcm"); refused["report.dcm"] = "a DICOM without any"
(FOLDER / "truncated.dcm").write_bytes((FOLDER / "explicit.dcm").read_bytes()[:-100]); refused["truncated.dcm"] = "it is truncated"
(FOLDER / "truncated-j2k.dcm").write_bytes((FOLDER / "jpeg2000.dcm").read_bytes()[:-100]); refused["truncated-j2k.dcm"] = "end early or are damaged"
(FOLDER / "truncated.png").write_bytes((FOLDER / "grey8.png").read_bytes()[:-30]); refused["truncated.png"] = "truncated"
(FOLDER / "truncated.jpg").write_bytes((FOLDER / "grey.jpg").read_bytes()[:-30]); refused["truncated.jpg"] = "truncated"
(FOLDER / "truncated.nii").write_bytes((FOLDER / "volume.nii").read_bytes()[:-3]); refused["truncated.nii"] = "truncated"
(FOLDER / "truncated.nii.gz").write_bytes((FOLDER / "volume.nii.gz").read_bytes()[:-9]); refused["truncated.nii.gz"] = "truncated"
(FOLDER / "empty.dcm").write_bytes(b""); refused["empty.dcm"] = "an empty file"
(FOLDER / "text.dcm").write_text("no image"); refused["text.dcm"] = "something else"


def refuse(name, why, pixels, syntax=UID + ".1", **more):
    dicom(name, pixels, syntax, **more)
    refused[name] = why


def edited(name, source, at, content, why):
    raw = bytearray((FOLDER / source).read_bytes())
    raw[at:at + len(content)] = content
    (FOLDER / name).write_bytes(raw)
    refused[name] = why


refuse("no-frames.dcm", "one frame or more", plain(image), NumberOfFrames="0")
refuse("more-frames.dcm", "more than a frame above it", plain(stack))
refuse("slope-missing.dcm", "an intercept alone", plain(image), RescaleIntercept="-1024")
refuse("slope-zero.dcm", "a slope of 0", plain(image), RescaleIntercept="-1024", RescaleSlope="0")
refuse("slope-partly.dcm", "none for frame 2", plain(stack), frames=stack, PerFrameFunctionalGroupsSequence=Sequence([transformed(2, 3), transformed(2, 3)]))
dicom("slope-comma.dcm", plain(image), UID + ".1", RescaleSlope="1.25", RescaleIntercept="0")
raw = (FOLDER / "slope-comma.dcm").read_bytes()
(FOLDER / "slope-comma.dcm").write_bytes(raw.replace(b"1.25", b"1,25")); refused["slope-comma.dcm"] = "numbers in its window and rescale"
refuse("no-sign.dcm", "whether its pixels have a sign", plain(image), PixelRepresentation=None)
refuse("sign-colour.dcm", "colours without a sign", colour.tobytes(), bits=8, photometric="RGB", signed=True)
raw = (FOLDER / "rle.dcm").read_bytes()
(FOLDER / "not-compressed.dcm").write_bytes(raw.replace(b"1.2.840.10008.1.2.5\0", b"1.2.840.10008.1.2.1\0") + bytes(2000))
refused["not-compressed.dcm"] = "without compression, as its header says"
refuse("frames-untold.dcm", "a table of 3", jpegs, UID + ".4.50", bits=8)
refuse("frames-untold-no-table.dcm", "as its header says", wavelets, UID + ".4.90", offsets=False)
fragmented("fragments-lost.dcm", wavelets, UID + ".4.90", 2, False); refused["fragments-lost.dcm"] = "6 fragments of 3 frames without a table"
refuse("sign-stream.dcm", "without a sign", imagecodecs.jpeg2k_encode(signed.astype(np.int16), level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=16)
refuse("sign-8.dcm", "more than 8 bits where pixels have a sign", imagecodecs.jpeg2k_encode((signed // 64).astype(np.int8), level=0, codecformat="J2K", reversible=True), UID + ".4.90", bits=8, signed=True)
refuse("bits-16-in-12.dcm", "pixels of 12 bits", imagecodecs.jpeg2k_encode(two, level=0, codecformat="J2K", reversible=True), UID + ".4.90")
refuse("bits-12-in-8.dcm", "pixels of 8 bits", imagecodecs.jpeg2k_encode(image.astype(np.uint16), level=0, codecformat="J2K", reversible=True, bitspersample=12), UID + ".4.90", bits=8)
refuse("transform.dcm", "turn its colours", imagecodecs.jpeg2k_encode(colour, level=0, codecformat="J2K", reversible=True, mct=False), UID + ".4.90", bits=8, photometric="YBR_RCT")
for name, frame, syntax in (("cut-lossless.dcm", imagecodecs.ljpeg_encode(two, bitspersample=16), ".4.70"), ("cut-htj2k.dcm", imagecodecs.htj2k_encode(two, reversible=True), ".4.201"),
                            ("cut-jpeg.dcm", jpegs[0], ".4.50"), ("cut-jpeg2000.dcm", wavelets[0], ".4.90")):
    refuse(name, "without its end", frame[:len(frame) // 4 * 2], UID + syntax, bits=8 if "jpeg." in name else 16)
edited("offset.nii", "volume.nii", 108, struct.pack("<f", 0), "behind its header")
edited("intercept.nii", "volume.nii", 112, struct.pack("<2f", 2, float("nan")), "an intercept where it has a slope")
edited("analyze.nii", "volume.nii", 344, bytes(4), "begin with a NIfTI header")
edited("huge.png", "rgb16.png", 16, struct.pack(">I", 0x30000010), "it is damaged")
edited("huge.jpg", "grey.jpg", (FOLDER / "grey.jpg").read_bytes().index(b"\xff\xc0") + 5, struct.pack(">2H", 65500, 65500), "rows of at most")
png("short.png", 8, 0, byte[:9]); refused["short.png"] = "one that is damaged"
small = b"Exif\0\0small picture\xff\xd9"
(FOLDER / "truncated-small.jpg").write_bytes(upright[:2] + b"\xff\xe1" + struct.pack(">H", len(small) + 2) + small + upright[2:-30])
refused["truncated-small.jpg"] = "truncated"

versions = {"python": platform.python_version(), "pydicom": pydicom.__version__, "imagecodecs": imagecodecs.__version__,
            "nibabel": nibabel.__version__, "numpy": np.__version__}
(HERE / "images.json").write_text(json.dumps({"generator": "images.py", "versions": versions, "cases": cases, "refused": refused}))
