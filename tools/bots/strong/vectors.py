"""Write code for vectors of sixteen lanes, of 64 or 16 bits.

Numba has no vectors. A function under `traced` runs while Numba compiles: each operation on a Vector writes an
instruction of LLVM, so loops are unrolled and tables become constants. As plain Python the same function computes with
arrays of NumPy.
"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16

_INDEX = ir.IntType(32)


class Vector:
    """Stands for a vector while code is written; `value` is its name there."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder = builder
        self.value = value

    def _fill(self, number: Any) -> Any:
        """Return an operand: a vector as it is, NumPy's numbers, or a number in all lanes."""
        if isinstance(number, Vector):
            return number.value
        if isinstance(number, np.ndarray):
            return ir.Constant(self.value.type, [int(lane) for lane in number])
        if isinstance(number, int):
            mask = (1 << self.value.type.element.width) - 1
            return ir.Constant(self.value.type, [number & mask] * LANES)
        narrow = self.builder.trunc if self.value.type.element.width < number.type.width else lambda one, _: one
        one = self.builder.insert_element(
            ir.Constant(self.value.type, ir.Undefined), narrow(number, self.value.type.element), _INDEX(0)
        )
        return self.builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES))

    def _write(self, name: str, other: Any) -> "Vector":
        return Vector(self.builder, getattr(self.builder, name)(self.value, self._fill(other)))

    def __and__(self, other: Any) -> "Vector":
        return self._write("and_", other)

    def __or__(self, other: Any) -> "Vector":
        return self._write("or_", other)

    def __xor__(self, other: Any) -> "Vector":
        return self._write("xor", other)

    def __add__(self, other: Any) -> "Vector":
        return self._write("add", other)

    def __lshift__(self, bits: Any) -> "Vector":
        return self._write("shl", bits)

    def __rshift__(self, bits: Any) -> "Vector":
        return self._write("lshr", bits)

    def __invert__(self) -> "Vector":
        return self ^ -1

    def __getitem__(self, lanes: Any) -> "Vector":
        mask = ir.Constant(ir.VectorType(_INDEX, LANES), [int(lane) for lane in lanes])
        return Vector(self.builder, self.builder.shuffle_vector(self.value, self.value, mask))

    def call(self, name: str, result: Any = None) -> Any:
        """Call one of LLVM's functions of a vector."""
        kind = self.value.type
        name = f"llvm.{name}.v{LANES}i{kind.element.width}"
        function = cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(result or kind, [kind]), name)
        return self.builder.call(function, [self.value])

    def any(self) -> Any:
        total = self.call("vector.reduce.or", self.value.type.element)
        return self.builder.icmp_unsigned("!=", total, total.type(0))


class _Written:
    """`Cells` while code is written."""

    def __init__(self, vectors: list[Vector]) -> None:
        self.builder = vectors[0].builder
        self.places = [cgutils.alloca_once(self.builder, vector.value.type) for vector in vectors]
        for i, vector in enumerate(vectors):
            self[i] = vector

    def __getitem__(self, i: int) -> Vector:
        return Vector(self.builder, self.builder.load(self.places[i]))

    def __setitem__(self, i: int, vector: Vector) -> None:
        self.builder.store(vector.value, self.places[i])

    def repeat(self, step: Callable[[], Vector]) -> None:
        again, after = self.builder.append_basic_block(), self.builder.append_basic_block()
        self.builder.branch(again)
        self.builder.position_at_end(again)
        self.builder.cbranch(step().any(), again, after)
        self.builder.position_at_end(after)

    def when(self, vector: Vector, body: Callable[[], None]) -> None:
        with self.builder.if_then(vector.any()):
            body()


class Cells(list[Any]):
    """Vectors that change in the branches of traced code."""

    def repeat(self, step: Callable[[], Any]) -> None:
        """Do a step, and again while it returns a bit."""
        while step().any():
            pass

    def when(self, vector: Any, body: Callable[[], None]) -> None:
        """Do something if a vector has a bit."""
        if vector.any():
            body()


def make_cells(vectors: list[Any]) -> Any:
    return _Written(vectors) if isinstance(vectors[0], Vector) else Cells(vectors)


class _Array:
    """An array while code is written."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        self.builder = builder
        self.width = kind.dtype.bitwidth
        start = context.make_array(kind)(context, builder, value).data
        self.start = builder.bitcast(start, ir.VectorType(ir.IntType(self.width), LANES).as_pointer())

    def find(self, row: int, after: Any) -> Any:
        at = ir.IntType(64)(row)
        return self.builder.gep(self.start, [at if after is None else self.builder.add(after, at)])


def load(array: Any, row: int, after: Any = None) -> Any:
    """Return sixteen numbers of an array as a vector; `row` counts from `after` if that is given."""
    if isinstance(array, _Array):
        vector = array.builder.load(array.find(row, after), align=array.width // 8)
        return Vector(array.builder, vector)
    return array.reshape(-1, LANES)[row + (after or 0)].view(f"u{array.itemsize}")


def store(vector: Any, array: Any, row: int) -> None:
    if isinstance(array, _Array):
        array.builder.store(vector.value, array.find(row, None), align=array.width // 8)
    else:
        array.reshape(-1, LANES)[row] = vector


def fill(vector: Any) -> Any:
    """Return all bits if a vector has one."""
    if isinstance(vector, Vector):
        kind = vector.value.type
        ones, none = (ir.Constant(kind, [bit] * LANES) for bit in (-1, 0))
        return Vector(vector.builder, vector.builder.select(vector.any(), ones, none))
    return ~(vector & 0) if vector.any() else vector & 0


def put(vector: Any, lane: int, number: Any) -> Any:
    """Return a copy in which one lane has another number."""
    if isinstance(vector, Vector):
        return Vector(vector.builder, vector.builder.insert_element(vector.value, number, _INDEX(lane)))
    vector = vector.copy()
    vector[lane] = number
    return vector


def narrow(vector: Any, bits: int) -> Any:
    """Return 16 bits of each lane, from bit `bits` on."""
    if isinstance(vector, Vector):
        kind = ir.VectorType(ir.IntType(16), LANES)
        return Vector(vector.builder, vector.builder.trunc((vector >> bits).value, kind))
    return (vector >> bits).astype(np.uint16)


def broaden(vector: Any, bits: int) -> Any:
    """Undo `narrow`."""
    if isinstance(vector, Vector):
        kind = ir.VectorType(ir.IntType(64), LANES)
        return Vector(vector.builder, vector.builder.zext(vector.value, kind)) << bits
    return vector.astype(np.uint64) << bits


def count_bits(vectors: list[Any]) -> Any:
    """Return how many bits these vectors have together."""
    if not isinstance(vectors[0], Vector):
        return sum(int(lane).bit_count() for vector in vectors for lane in vector)
    builder = vectors[0].builder
    total = vectors[0].call("ctpop")
    for vector in vectors[1:]:
        total = builder.add(total, vector.call("ctpop"))
    found = Vector(builder, total).call("vector.reduce.add", total.type.element)
    return builder.zext(found, ir.IntType(64)) if found.type.width < 64 else found


def join(vectors: Any) -> Any:
    """Return all bits of several vectors."""
    return reduce(or_, vectors)


def traced(*choices: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile vector code, as a decorator: code(choice, arrays, a, b) returns a number or nothing.

    choices: each has code of its own.  arrays: a NamedTuple.  a, b: numbers.
    """

    def decorate(code: Callable[..., Any]) -> Callable[..., Any]:
        if config.DISABLE_JIT:
            return lambda choice, arrays, a, b: code(int(choice), arrays, int(a), int(b))

        def declare(_context: Any, choice: Any, arrays: Any, a: Any, b: Any) -> Any:
            def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
                parts = zip(arrays, cgutils.unpack_tuple(builder, values[1], len(arrays)), strict=True)
                given = arrays.instance_class(*(_Array(context, builder, kind, value) for kind, value in parts))
                result = cgutils.alloca_once_value(builder, ir.IntType(64)(0))
                after = builder.append_basic_block()
                switch = builder.switch(values[0], after)
                for each in choices:
                    block = builder.append_basic_block()
                    switch.add_case(values[0].type(each), block)
                    builder.position_at_end(block)
                    found = code(each, given, *values[2:])
                    if found is not None:
                        builder.store(found, result)
                    builder.branch(after)
                builder.position_at_end(after)
                return builder.load(result)

            number = types.int64
            return number(number, arrays, number, number), generate

        written: Callable[..., Any] = intrinsic(declare)
        return written

    return decorate
