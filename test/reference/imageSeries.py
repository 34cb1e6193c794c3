"""Series of DICOM, DICOM without pixels and further files of NIfTI, with the numbers that readImages must give.

Run: python test/reference/imageSeries.py   (writes imageSeries.json and the files of the folder imageSeries beside it)
Needs pydicom >= 3, nibabel and numpy. The numbers are those that were written. Patients are called P1, P2.
"""
import json
import platform
from pathlib import Path

import nibabel
import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileMetaDataset

HERE = Path(__file__).parent
FOLDER = HERE / "imageSeries"
FOLDER.mkdir(exist_ok=True)
for old in FOLDER.iterdir():
    old.unlink()
CLASSES = {"ct": "2", "sr": "88.11", "plan": "481.5", "presentation": "11.1", "segmentation": "66.4"}
EXPLICIT = "1.2.840.10008.1.2.1"
rng = np.random.RandomState(5)
volumes = {}


def dicom(name, kind, pixels=None, patient="P1", series="1", **more):
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = EXPLICIT
    meta.MediaStorageSOPClassUID = f"1.2.840.10008.5.1.4.1.1.{CLASSES[kind]}"
    meta.MediaStorageSOPInstanceUID = f"1.2.3.{len(name)}.{sum(map(ord, name))}"
    data = Dataset()
    data.file_meta = meta
    data.SOPClassUID = meta.MediaStorageSOPClassUID
    data.SOPInstanceUID = meta.MediaStorageSOPInstanceUID
    data.PatientID = patient
    data.StudyInstanceUID = f"1.2.3.4.{patient[1:]}"
    data.SeriesInstanceUID = f"1.2.3.4.{patient[1:]}.{series}"
    if pixels is not None:
        data.Modality = "CT"
        data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
        data.Rows, data.Columns = pixels.shape
        data.BitsAllocated = data.BitsStored = 16
        data.HighBit, data.PixelRepresentation = 15, 0
        data.PixelData = pixels.astype("<u2").tobytes()
        data["PixelData"].VR = "OW"
    for key, value in more.items():
        setattr(data, key, value)
    data.save_as(FOLDER / name, enforce_file_format=True, implicit_vr=False, little_endian=True)


def series(name, axes, distances, order, **more):
    """Slices of an oblique stack, whose names are not in the order of their places. Rows, columns and normal are `axes`."""
    volume = rng.randint(0, 4096, size=(len(distances), 3, 4))
    turned = np.array(axes, float)
    normal = np.cross(turned[:3], turned[3:])
    for place, (distance, file) in enumerate(zip(distances, order)):
        position = [f"{value:.4f}" for value in np.array([-20.0, 10, 300]) + distance * normal]
        dicom(f"{name}-{file}.dcm", "ct", volume[place], ImagePositionPatient=position, ImageOrientationPatient=[f"{value:.6f}" for value in axes],
              InstanceNumber=str(file), **more)
    volumes[name] = volume.tolist()


angle = np.array([np.cos(0.3), np.sin(0.3)])
series("oblique", [angle[0], angle[1], 0, 0, 0, -1], [-7.5, -5.0, -2.5, 0, 2.5], [4, 0, 3, 1, 2])
# The places of one slice are missing.
series("gap", [1, 0, 0, 0, 1, 0], [0, 1.5, 3, 6, 7.5], [0, 1, 2, 3, 4], patient="P2")
# Rounded to four places of a millimetre, and no gap.
series("thirds", [1, 0, 0, 0, 1, 0], [0, 1 / 3, 2 / 3, 1], [1, 2, 3, 0], patient="P3")
one = np.arange(12).reshape(3, 4)
flat = {"ImageOrientationPatient": [1, 0, 0, 0, 1, 0]}
dicom("twice.dcm", "ct", one, patient="P3", ImagePositionPatient=["-20", "10", "300.3333"], **flat)
dicom("unplaced.dcm", "ct", one, patient="P3")
dicom("turned.dcm", "ct", one, patient="P3", ImagePositionPatient=[0, 0, 0], ImageOrientationPatient=[1, 0, 0, 0, 0, 1])
dicom("wide.dcm", "ct", np.arange(15).reshape(3, 5), patient="P3", ImagePositionPatient=[0, 0, 9], **flat)
for kind in ("sr", "plan", "presentation", "segmentation"):
    dicom(f"{kind}.dcm", kind)

integers = rng.randint(-(2**23), 2**23, size=(4, 3, 2)).astype(np.int64)
integers[0, 0, 0] = 2**40
affine = np.array([[-1, 0, 0, 5], [0, 2, 0, 6], [0, 0, 3, 7], [0, 0, 0, 1]], float)
for name, kind, dtype in (("int64.nii", nibabel.Nifti1Image, np.int64), ("uint64.nii", nibabel.Nifti2Image, np.uint64), ("pair.hdr", nibabel.Nifti1Pair, np.int16), ("pair2.hdr", nibabel.Nifti2Pair, np.int64)):
    values = (np.abs(integers) if dtype == np.uint64 else integers if dtype == np.int64 else integers % 999).astype(dtype)
    nibabel.save(kind(values, affine, dtype=dtype), FOLDER / name)
    volumes[name] = values.T.astype(float).tolist()
nibabel.save(nibabel.AnalyzeImage((integers % 999).astype(np.int16), None), FOLDER / "analyze.hdr")

versions = {"python": platform.python_version(), "pydicom": pydicom.__version__, "nibabel": nibabel.__version__, "numpy": np.__version__}
(HERE / "imageSeries.json").write_text(json.dumps({"generator": "imageSeries.py", "versions": versions, "affine": affine.tolist(), "volumes": volumes}))
