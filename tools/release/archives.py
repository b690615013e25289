"""Write archives whose bytes depend on their files alone."""

import hashlib
import io
import time
import zipfile

_MODE = 0o100644  # a plain file that its owner may write
_UNIX = 3


def pack_zip(files: dict[str, bytes], epoch_s: int) -> bytes:
    """Return a zip of files by path, sorted, all of the time `epoch_s`."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(epoch_s)[:6])
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
    return content.getvalue()


def list_sums(files: dict[str, bytes]) -> bytes:
    """Return lines as `sha256sum --check` reads them."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items())).encode()
