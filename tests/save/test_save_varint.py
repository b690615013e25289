"""Numbers reads values as it wrote them, by the same calls."""

import pytest

from firmware.save.varint import Numbers

NUMBERS = (0, 1, 127, 128, 16383, 16384, (1 << 30) - 1, 1 << 34)


class Owner:
    def __init__(self, low: int, high: int, flag: bool) -> None:
        self.low = low
        self.high = high
        self.flag = flag


@pytest.mark.parametrize("number", NUMBERS)
def test_number_is_read_as_written(number: int) -> None:
    buffer = bytearray(8)
    writer = Numbers(buffer, True)
    assert writer.walk(number) == number
    reader = Numbers(buffer, False)
    assert reader.get() == number and reader.at == writer.at == max(1, (number.bit_length() + 6) // 7)


def test_fields_keep_their_types() -> None:
    buffer = bytearray(8)
    names = ("low", "flag", "high")
    Numbers(buffer, True).fields(Owner(-4, 70_000, True), names)
    restored = Owner(0, 0, False)
    Numbers(buffer, False).fields(restored, names)
    assert vars(restored) == {"low": -4, "high": 70_000, "flag": True}
    assert isinstance(restored.flag, bool)


def test_items_are_the_bytes_themselves() -> None:
    buffer = bytearray(4)
    Numbers(buffer, True).items(bytearray(b"\xff\x00\x80rest"), 3)
    row = bytearray(7)
    Numbers(buffer, False).items(row, 3)
    assert (buffer, row) == (b"\xff\x00\x80\x00", b"\xff\x00\x80\x00\x00\x00\x00")


def test_numbers_beyond_the_end_or_35_bits_are_refused() -> None:
    for blob in (b"\x80\x80", b"\x80\x80\x80\x80\x80\x01"):
        with pytest.raises(ValueError, match="does not end"):
            Numbers(blob, False).walk(0)
    with pytest.raises(IndexError):
        Numbers(bytearray(2), True).walk(1 << 14)
