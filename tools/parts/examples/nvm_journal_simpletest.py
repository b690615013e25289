"""Count how often the board was started; no power cut loses more than the last count."""

import microcontroller
from nvm_journal import Journal, NvmStore

STARTS = 1  # a kind of record, 1 to 127
journal = Journal([NvmStore(microcontroller.nvm)])
starts = int.from_bytes(journal.read(STARTS), "little") + 1
journal.payload[:4] = starts.to_bytes(4, "little")
journal.save(STARTS, 4)
print("started", starts, "times")
