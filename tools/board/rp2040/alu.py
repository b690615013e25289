"""Calculate as ARMv6-M instructions do, on values of 0..2**32-1 in int64."""

from tools.board.rp2040.compiling import compiled
from tools.board.rp2040.layout import MASK


@compiled
def add(a, b, carry):
    """Return the sum, its carry and whether it overflows as a signed one; a - b is add(a, ~b, 1)."""
    total = a + b + carry
    result = total & MASK
    return result, total >> 32, ((a ^ result) & (b ^ result)) >> 31


@compiled
def shift_right(value, shift):
    """Return the value shifted by 1..63 and the last bit that went out; a negative one keeps its sign."""
    return value >> shift, value >> (shift - 1) & 1


@compiled
def calculate(what, n, m, c, v):
    """Return result, carry and overflow of one of the 16 data-processing instructions."""
    if what == 0 or what == 8:  # ANDS, TST
        return n & m, c, v
    if what == 1:  # EORS
        return n ^ m, c, v
    if what == 5:  # ADCS
        return add(n, m, c)
    if what == 6:  # SBCS
        return add(n, m ^ MASK, c)
    if what == 9:  # RSBS
        return add(0, m ^ MASK, 1)
    if what == 10:  # CMP
        return add(n, m ^ MASK, 1)
    if what == 11:  # CMN
        return add(n, m, 0)
    if what == 12:  # ORRS
        return n | m, c, v
    if what == 13:  # MULS; in uint64 the product wraps as it should
        return n * m & MASK, c, v
    if what == 14:  # BICS
        return n & ~m, c, v
    if what == 15:  # MVNS
        return m ^ MASK, c, v
    shift = m & 0xFF
    if shift == 0:
        return n, c, v
    if what == 7:  # RORS
        shift &= 31
        result = (n >> shift | n << (32 - shift)) & MASK
        return result, result >> 31, v
    shift = min(shift, 33)
    if what == 2:  # LSLS
        result = n << shift
        return result & MASK, result >> 32 & 1, v
    if what == 4:  # ASRS
        n = (n ^ 0x8000_0000) - 0x8000_0000
    result, c = shift_right(n, shift)
    return result & MASK, c, v


@compiled
def extend(value, sign):
    """Return a byte or halfword as a signed word; `sign` is its upper bit."""
    return (value ^ sign) - sign & MASK


@compiled
def reverse(value, how):
    """Return the bytes of a word (REV), of each halfword (REV16) or of a signed halfword (REVSH) turned round."""
    swapped = (value & 0x00FF_00FF) << 8 | value >> 8 & 0x00FF_00FF
    if how == 0:
        return (swapped << 16 | swapped >> 16) & MASK
    return swapped if how == 1 else extend(swapped & 0xFFFF, 0x8000)


@compiled
def condition_holds(what, nz, c, v):
    """Return whether the flags fulfil a condition of a branch."""
    n = nz >> 31 & 1
    pair = what >> 1
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
    return holds != (what & 1 != 0)
