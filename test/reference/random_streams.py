"""Writes random.json: streams of numpy.random.RandomState and MurmurHash3 x86_128, the references of test/core/random
and test/core/fingerprint. Usage: python random_streams.py > random.json (needs numpy, mmh3)."""
import importlib.metadata
import json
import struct

import mmh3
import numpy as np

M32 = 0xFFFFFFFF


def rotate(x, by):
    return ((x << by) | (x >> (32 - by))) & M32


def finalise(x):
    x = (x ^ (x >> 16)) * 0x85EBCA6B & M32
    x = (x ^ (x >> 13)) * 0xC2B2AE35 & M32
    return x ^ (x >> 16)


def murmur3_x86_128(words, length):
    """The body and finaliser of MurmurHash3_x86_128 with seed 0 (Appleby), every word treated as part of a block."""
    c = [0x239B961B, 0xAB0E9789, 0x38B34AE5, 0xA1E38B93]
    rotate_in, rotate_out = [15, 16, 17, 18], [19, 17, 15, 13]
    add = [0x561CCD1B, 0x0BCAA747, 0x96CD1C35, 0x32AC3B17]
    h = [0, 0, 0, 0]
    for at, word in enumerate(words):
        lane = at % 4
        k = rotate(word * c[lane] & M32, rotate_in[lane]) * c[(lane + 1) % 4] & M32
        h[lane] = (rotate(h[lane] ^ k, rotate_out[lane]) + h[(lane + 1) % 4]) * 5 + add[lane] & M32
    h = [x ^ length for x in h]
    for step in range(2):
        h[0] = sum(h) & M32
        h[1:] = [(x + h[0]) & M32 for x in h[1:]]
        if step == 0:
            h = [finalise(x) for x in h]
    return "".join(f"{x:08x}" for x in h)


def official(words):
    """mmh3's answer for the same bytes, the four words in the order h1, h2, h3, h4."""
    digest = mmh3.hash_bytes(struct.pack(f"<{len(words)}I", *words), seed=0, x64arch=False)
    return "".join(f"{x:08x}" for x in struct.unpack("<4I", digest))


def hashes():
    rng = np.random.RandomState(7)
    cases = [[], [1], [1, 2, 3, 4], [0] * 8, list(range(10)), [M32, 0x80000000, 1, 0, 5]]
    cases += [[int(w) for w in rng.randint(0, 2**32, size=n, dtype=np.uint64)] for n in (4, 16, 33, 128)]
    for words in cases:
        if len(words) % 4 == 0:  # whole blocks: the reference above must be the published function
            assert murmur3_x86_128(words, 4 * len(words)) == official(words)
    # cvkit counts words where the published function counts bytes, and has no tail: its input is always words.
    return [{"words": words, "digest": murmur3_x86_128(words, len(words))} for words in cases]


def stream(seed):
    state = lambda: np.random.RandomState(seed)
    raw = state()._bit_generator.random_raw(1400)
    shuffled = list("abcdefghij")
    state().shuffle(shuffled)
    after = state()
    after.permutation(10)
    return {
        "seed": seed,
        "words": {str(at): int(raw[at]) for at in (0, 1, 2, 3, 623, 624, 625, 1247, 1248, 1399)},
        "random": state().random_sample(5).tolist(),
        "shuffle": shuffled,
        "permutation": {str(n): state().permutation(n).tolist() for n in (1, 2, 3, 17, 100)},
        "sample": {f"{n},{size}": state().choice(n, size, replace=False).tolist() for n, size in ((10, 3), (50, 50), (1000, 7))},
        "randomAfterPermutation": after.random_sample(3).tolist(),
    }


print(
    json.dumps(
        {
            "source": "numpy.random.RandomState; MurmurHash3 x86_128 checked against mmh3",
            "generator": "random_streams.py",
            "versions": {"numpy": np.__version__, "mmh3": importlib.metadata.version("mmh3")},
            "streams": [stream(seed) for seed in (0, 1, 42, 20260101, M32)],
            "hashes": hashes(),
        },
        indent=1,
    )
)
