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
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.encaps import encapsulate
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
        setattr(data, key, value)
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

versions = {"python": platform.python_version(), "pydicom": pydicom.__version__, "imagecodecs": imagecodecs.__version__,
            "nibabel": nibabel.__version__, "numpy": np.__version__}
(HERE / "images.json").write_text(json.dumps({"generator": "images.py", "versions": versions, "cases": cases, "refused": refused}))
