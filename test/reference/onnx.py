"""Small ONNX models for the tests of adapters/onnx, and what they predict.

Writes test/reference/onnx/*.onnx and test/reference/onnx.json. The expected numbers come from the reference evaluator of
the package onnx, which shares no code with onnxruntime; trees, which it knows only in part, from onnxruntime for Python.

    pip install onnx==1.23.1 onnxruntime==1.30.0 numpy
    python test/reference/onnx.py
"""

import json
import sys
from pathlib import Path

# This script is called onnx.py, too: its folder must not be where `import onnx` looks.
here = Path(__file__).parent
sys.path = [entry for entry in sys.path if Path(entry or ".").resolve() != here.resolve()]

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from onnx import TensorProto as T  # noqa: E402
from onnx import helper as h  # noqa: E402
from onnx import numpy_helper  # noqa: E402
from onnx.reference import ReferenceEvaluator  # noqa: E402

folder = here / "onnx"
folder.mkdir(exist_ok=True)
random = np.random.default_rng(20261125)
written = {}


def value(name, shape, element=T.FLOAT):
    return h.make_tensor_value_info(name, element, shape)


def model(nodes, inputs, outputs, weights=(), opset=21, ml=False, ir=10):
    graph = h.make_graph(nodes, "g", inputs, outputs, [numpy_helper.from_array(w, name) for name, w in weights])
    opsets = [h.make_opsetid("", opset)] + ([h.make_opsetid("ai.onnx.ml", 3)] if ml else [])
    made = h.make_model(graph, opset_imports=opsets, producer_name="cvkit tests")
    made.ir_version = ir
    return made


def listed(array):
    return array.tolist() if isinstance(array, np.ndarray) else array


def save(name, made, feeds=None, runtime=False):
    """Writes the file, and the inputs with the outputs that they must give."""
    onnx.save(made, folder / f"{name}.onnx")
    if feeds is None:
        return
    names = [output.name for output in made.graph.output]
    if runtime:
        results = onnxruntime.InferenceSession(made.SerializeToString()).run(names, feeds)
    else:
        results = ReferenceEvaluator(made).run(names, feeds)
    written[name] = {
        "inputs": {key: {"shape": list(array.shape), "data": listed(array.ravel())} for key, array in feeds.items()},
        "outputs": {key: listed(result) for key, result in zip(names, results)},
    }


def floats(*shape):
    return random.normal(size=shape).astype(np.float32)


rows = floats(7, 4)
weights = [("W", floats(4, 3)), ("b", floats(3))]
affine = [h.make_node("MatMul", ["x", "W"], ["product"]), h.make_node("Add", ["product", "b"], ["logits"])]
softmax = h.make_node("Softmax", ["logits"], ["probabilities"], axis=1)

save("softmax", model([*affine, softmax], [value("x", ["N", 4])], [value("probabilities", ["N", 3])], weights), {"x": rows})
save("logits", model(affine, [value("x", ["N", 4])], [value("logits", ["N", 3])], weights), {"x": rows})
save("regression", model(
    [h.make_node("MatMul", ["x", "w"], ["value"])], [value("x", ["N", 4])], [value("value", ["N", 1])], [("w", floats(4, 1))],
), {"x": rows})
save("sigmoid", model(
    [h.make_node("MatMul", ["x", "w"], ["logit"]), h.make_node("Sigmoid", ["logit"], ["risk"])],
    [value("x", ["N", 4])], [value("risk", ["N", 1])], [("w", floats(4, 1))],
), {"x": rows})
save("multilabel", model(
    [*affine, h.make_node("Sigmoid", ["logits"], ["findings"])],
    [value("x", ["N", 4])], [value("findings", ["N", 3])], weights,
), {"x": rows})
save("two-outputs", model(
    [*affine, softmax], [value("x", ["N", 4])], [value("logits", ["N", 3]), value("probabilities", ["N", 3])], weights,
), {"x": rows})
save("old", model(
    [*affine, softmax], [value("x", ["N", 4]), value("W", [4, 3]), value("b", [3])],
    [value("probabilities", ["N", 3])], weights, opset=13, ir=3,
), {"x": rows})
save("one-row", model([*affine, softmax], [value("x", [1, 4])], [value("probabilities", [1, 3])], weights))
save("eight-rows", model([*affine, softmax], [value("x", [8, 4])], [value("probabilities", [8, 3])], weights))
save("unnamed-axis", model([*affine, softmax], [value("x", [None, 4])], [value("probabilities", [None, 3])], weights), {"x": rows})
save("newer", model([*affine, softmax], [value("x", ["N", 4])], [value("probabilities", ["N", 3])], weights, opset=99))
save("double", model(
    [h.make_node("MatMul", ["x", "w"], ["value"])], [value("x", ["N", 2], T.DOUBLE)], [value("value", ["N", 1], T.DOUBLE)],
    [("w", np.array([[1.0], [-1.0]]))],
), {"x": np.array([[1e9 + 0.25, 1e9], [2**40 + 0.5, 2**40]])})
save("not-finite", model(
    [h.make_node("Log", ["x"], ["value"])], [value("x", ["N", 1])], [value("value", ["N", 1])],
), {"x": np.array([[1.0], [2.0]], np.float32)})
save("sequence", model(
    [*affine, h.make_node("SequenceConstruct", ["logits"], ["list"])], [value("x", ["N", 4])],
    [h.make_tensor_sequence_value_info("list", T.FLOAT, None)], weights,
))
save("half", model(
    [*affine, softmax], [value("x", ["N", 4], T.FLOAT16)], [value("probabilities", ["N", 3], T.FLOAT16)],
    [(name, w.astype(np.float16)) for name, w in weights],
), {"x": rows.astype(np.float16)})
bfloat = model([*affine, softmax], [value("x", ["N", 4], T.BFLOAT16)], [value("probabilities", ["N", 3], T.BFLOAT16)])
save("bfloat16", bfloat)
save("integers", model(
    [
        h.make_node("Gather", ["table", "codes"], ["vectors"]), h.make_node("ReduceSum", ["vectors", "axis"], ["scores"], keepdims=0),
        h.make_node("ArgMax", ["scores"], ["class"], axis=1, keepdims=0),
    ],
    [value("codes", ["N", 2], T.INT64)], [value("class", ["N"], T.INT64)],
    [("table", floats(5, 3)), ("axis", np.array([1], np.int64))],
), {"codes": np.array([[0, 1], [2, 3], [4, 4], [1, 0], [3, 2]])})
save("flags", model(
    [h.make_node("Cast", ["flags"], ["floats"], to=T.FLOAT), h.make_node("MatMul", ["floats", "w"], ["value"])],
    [value("flags", ["N", 3], T.BOOL)], [value("value", ["N", 1])], [("w", floats(3, 1))],
), {"flags": np.array([[True, False, True], [False, False, True]])})

# ---- probabilities behind other operations, and models that are not fixed ----
probability_pipes = {
    "softmax-column": [h.make_node("Gather", ["probabilities", "one"], ["column"], axis=1)],
    "softmax-cast": [h.make_node("Cast", ["probabilities"], ["double"], to=T.DOUBLE), h.make_node("Cast", ["double"], ["column"], to=T.FLOAT)],
}
for name, nodes in probability_pipes.items():
    width = 1 if name == "softmax-column" else 3
    save(name, model([*affine, softmax, *nodes], [value("x", ["N", 4])], [value("column", ["N", width])], [*weights, ("one", np.array([1], np.int64))]))
save("written-out-sigmoid", model(
    [
        h.make_node("MatMul", ["x", "w"], ["logit"]), h.make_node("Neg", ["logit"], ["minus"]), h.make_node("Exp", ["minus"], ["power"]),
        h.make_node("Add", ["power", "unit"], ["below"]), h.make_node("Reciprocal", ["below"], ["risk"]),
    ],
    [value("x", ["N", 4])], [value("risk", ["N", 1])], [("w", floats(4, 1)), ("unit", np.array([1], np.float32))],
))
save("draws", model(
    [*affine, h.make_node("RandomNormalLike", ["logits"], ["noise"]), h.make_node("Add", ["logits", "noise"], ["scores"])],
    [value("x", ["N", 4])], [value("scores", ["N", 3])], weights,
))
save("batch-mean", model(
    [*affine, h.make_node("ReduceMean", ["logits", "axis"], ["mean"], keepdims=1), h.make_node("Sub", ["logits", "mean"], ["scores"])],
    [value("x", ["N", 4])], [value("scores", ["N", 3])], [*weights, ("axis", np.array([0], np.int64))],
))
linear = {"coefficients": [0.5, -0.25, 1.0, 0.75, -0.5, 0.25, -1.0, -0.75], "intercepts": [0.1, -0.1], "classlabels_ints": [0, 1], "post_transform": "SOFTMAX"}
save("linear-softmax", model(
    [h.make_node("LinearClassifier", ["x"], ["label", "probabilities"], domain="ai.onnx.ml", **linear)],
    [value("x", ["N", 4])], [value("label", ["N"], T.INT64), value("probabilities", ["N", 2])], ml=True,
))

# ---- weights in a file beside the model ----
external = model([*affine, softmax], [value("x", ["N", 4])], [value("probabilities", ["N", 3])], weights)
onnx.save(external, folder / "external.onnx", save_as_external_data=True, location="external.weights", size_threshold=0)
written["external"] = {**written["softmax"], "outputs": written["softmax"]["outputs"]}

# ---- classifiers as skl2onnx writes them ----
trees = {
    "nodes_treeids": [0, 0, 0, 1, 1, 1], "nodes_nodeids": [0, 1, 2, 0, 1, 2], "nodes_featureids": [0, 0, 0, 1, 0, 0],
    "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"] * 2, "nodes_values": [0.1, 0.0, 0.0, -0.2, 0.0, 0.0],
    "nodes_truenodeids": [1, 0, 0, 1, 0, 0], "nodes_falsenodeids": [2, 0, 0, 2, 0, 0],
    "nodes_hitrates": [1.0] * 6, "nodes_missing_value_tracks_true": [0] * 6,
    "class_treeids": [0, 0, 0, 0, 1, 1, 1, 1], "class_nodeids": [1, 1, 2, 2, 1, 1, 2, 2], "class_ids": [0, 1] * 4,
    "class_weights": [0.45, 0.05, 0.1, 0.4, 0.3, 0.2, 0.05, 0.45], "post_transform": "NONE",
}
for kind, labels, element in (("integers", {"classlabels_int64s": [0, 1]}, T.INT64), ("texts", {"classlabels_strings": ["yes", "no"]}, T.STRING)):
    forest = h.make_node("TreeEnsembleClassifier", ["x"], ["label", "probabilities"], domain="ai.onnx.ml", **trees, **labels)
    zipped = h.make_node("ZipMap", ["probabilities"], ["output_probability"], domain="ai.onnx.ml", **labels)
    label = value("label", ["N"], element)
    plain = model([forest], [value("x", ["N", 4])], [label, value("probabilities", ["N", 2])], ml=True)
    save(f"trees-{kind}", plain, {"x": rows}, runtime=True)
    maps = h.make_sequence_type_proto(h.make_map_type_proto(element, h.make_tensor_type_proto(T.FLOAT, None)))
    made = model([forest, zipped], [value("x", ["N", 4])], [label, h.make_value_info("output_probability", maps)], ml=True)
    save(f"zipmap-{kind}", made)
    written[f"zipmap-{kind}"] = written[f"trees-{kind}"]

# ---- a pipeline with one input for each column ----
encode = h.make_node("LabelEncoder", ["sex"], ["sex_code"], domain="ai.onnx.ml", keys_strings=["f", "m"], values_floats=[0.0, 1.0], default_float=-1.0)
columns = model(
    [
        encode, h.make_node("Concat", ["age", "sex_code", "visits_float"], ["table"], axis=1),
        h.make_node("MatMul", ["table", "w"], ["logit"]), h.make_node("Sigmoid", ["logit"], ["risk"]),
    ],
    [value("age", ["N", 1]), value("sex", ["N", 1], T.STRING), value("visits", ["N", 1], T.INT64)],
    [value("risk", ["N", 1])], [("w", np.array([[0.02], [-0.7], [0.1]], np.float32))], ml=True,
)
columns.graph.node.insert(0, h.make_node("Cast", ["visits"], ["visits_float"], to=T.FLOAT))
save("columns", columns, {
    "age": np.array([[61.0], [34.0], [50.0]], np.float32), "sex": np.array([["f"], ["m"], ["f"]]), "visits": np.array([[1], [4], [2]]),
}, runtime=True)

# ---- images ----
def network(channels, axes, name, first=()):
    start = "image" if not first else "moved"
    nodes = [
        *first, h.make_node("Conv", [start, "kernel"], ["maps"], pads=[1, 1, 1, 1]), h.make_node("Relu", ["maps"], ["positive"]),
        h.make_node("GlobalAveragePool", ["positive"], ["features"]), h.make_node("Flatten", ["features"], ["flat"]),
        h.make_node("MatMul", ["flat", "head"], ["logits"]),
    ]
    made = model(nodes, [value("image", axes)], [value("logits", ["N", 2])], [("kernel", floats(5, channels, 3, 3)), ("head", floats(5, 2))])
    # Both the features, which are an inner tensor, and the output.
    both = onnx.ModelProto()
    both.CopyFrom(made)
    both.graph.output.append(value("features", None))
    images = floats(3, *[size if isinstance(size, int) else default for size, default in zip(axes[1:], (channels, 6, 8))])
    save(name, both, {"image": images})
    save(name, made)
    return made, images


network(1, ["N", 1, 6, 8], "grey")
network(3, ["N", 3, 6, 8], "colour")
network(3, ["N", "C", "H", "W"], "any-colour")
network(3, ["N", 6, 8, 3], "channels-last", [h.make_node("Transpose", ["image"], ["moved"], perm=[0, 3, 1, 2])])
half_made, half_images = network(1, ["N", 1, 6, 8], "half-image")
for tensor in half_made.graph.initializer:
    tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name))
half_made.graph.input[0].CopyFrom(value("image", ["N", 1, 6, 8], T.FLOAT16))
half_made.graph.output[0].CopyFrom(value("logits", ["N", 2], T.FLOAT16))
save("half-image", half_made)

about = {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__, "numpy": np.__version__}
(here / "onnx.json").write_text(json.dumps({"versions": about, "models": written}, indent=1) + "\n")
