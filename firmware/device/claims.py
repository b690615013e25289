"""Take pins for a part; if the chip or the board refuses, name the keys."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from firmware.contracts import Any, Callable, Found


def claim(found: "Found", keys: str, make: "Callable[..., Any]", *arguments: object) -> "Any":
    """Return make(*arguments), which takes the pins of `keys`; raise WiringError if the chip or the board refuses."""
    try:
        return make(*arguments)
    except (ValueError, RuntimeError) as problem:
        from firmware.device.chip import refuse_claim

        refuse_claim(found, keys, problem)
