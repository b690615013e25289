"""Calculate the results of ARMv6-M instructions, on values of 0..2**32-1 in int64."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import MASK


@compiled
def add(a, b, carry):
    """Return the sum, its carry and its signed overflow; a - b is add(a, ~b, 1)."""
    total = a + b + carry
    result = total & MASK
    return result, total >> 32, ((a ^ result) & (b ^ result)) >> 31


@compiled
def shift_right(value, shift):
    """Return the value shifted right by 1..63 and the last bit shifted out; a negative value keeps its sign."""
    return value >> shift, value >> (shift - 1) & 1


@compiled
def calculate(operation, n, m, c, v):
    """Return result, carry and overflow of one of the 16 data-processing instructions."""
    if operation == 0 or operation == 8:  # ANDS, TST
        return n & m, c, v
    if operation == 1:  # EORS
        return n ^ m, c, v
    if operation == 5:  # ADCS
        return add(n, m, c)
    if operation == 6:  # SBCS
        return add(n, m ^ MASK, c)
    if operation == 9:  # RSBS
        return add(0, m ^ MASK, 1)
    if operation == 10:  # CMP
        return add(n, m ^ MASK, 1)
    if operation == 11:  # CMN
        return add(n, m, 0)
    if operation == 12:  # ORRS
        return n | m, c, v
    if operation == 13:  # MULS; a wrapped product still has the right low 32 bits
        return n * m & MASK, c, v
    if operation == 14:  # BICS
        return n & ~m, c, v
    if operation == 15:  # MVNS
        return m ^ MASK, c, v
    shift = m & 0xFF
    if shift == 0:
        return n, c, v
    if operation == 7:  # RORS
        shift &= 31
        result = (n >> shift | n << (32 - shift)) & MASK
        return result, result >> 31, v
    shift = min(shift, 33)
    if operation == 2:  # LSLS
        result = n << shift
        return result & MASK, result >> 32 & 1, v
    if operation == 4:  # ASRS
        n = (n ^ 0x8000_0000) - 0x8000_0000
    result, c = shift_right(n, shift)
    return result & MASK, c, v


@compiled
def extend(value, sign):
    """Return a byte or halfword sign-extended to a word; `sign` is its highest bit."""
    return (value ^ sign) - sign & MASK


@compiled
def reverse(value, kind):
    """Return a word with reversed bytes: REV (0), in each halfword REV16 (1), in a signed halfword REVSH (3)."""
    swapped = (value & 0x00FF_00FF) << 8 | value >> 8 & 0x00FF_00FF
    if kind == 0:
        return (swapped << 16 | swapped >> 16) & MASK
    return swapped if kind == 1 else extend(swapped & 0xFFFF, 0x8000)


@compiled
def condition_holds(condition, nz, c, v):
    """Return whether the flags meet a branch condition; `nz` is the last result."""
    n = nz >> 31 & 1
    pair = condition >> 1
    if pair == 0:
        holds = nz == 0
    elif pair == 1:
        holds = c != 0
    elif pair == 2:
        holds = n != 0
    elif pair == 3:
        holds = v != 0
    elif pair == 4:
        holds = c != 0 and nz != 0
    elif pair == 5:
        holds = n == v
    else:
        holds = n == v and nz != 0
    return holds != (condition & 1 != 0)
