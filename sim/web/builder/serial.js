/** Read a board's facts and settings over USB, and set its clock, by CircuitPython's raw REPL. */

const PATIENCE_MS = 8000;
const INTERRUPT = "\x03";
const SETTLE_MS = 300; // the board loses bytes that come with that key or right after it
const ENTER_RAW = "\r\x01"; // after any other key
const RUN = "\x04";
const LEAVE_AND_RESTART = "\x02\x04";

const PROGRAM = `
import board, gc, os
def tell(name, value): print(name, value, sep="\\t")
tell("Board", board.board_id)
tell("CircuitPython", os.uname()[2])
gc.collect()
tell("Free memory", "%d bytes" % gc.mem_free())
s = os.statvfs("/")
tell("Free on the drive", "%d KB" % (s[0] * s[3] // 1024))
try:
    import microcontroller
    n = microcontroller.nvm
    tell("Saved", "%d of %d bytes" % (len(n) - bytes(n).count(b"\\xff"), len(n)))
except Exception as e:
    tell("Saved", "cannot be read: %s" % e)
tell("Skyline", "is there" if "firmware" in os.listdir("/") else "is not there: see the build guide")
try:
    with open("/skyline-report.txt") as f:
        tell("Last problem", f.read().replace("\\n", " / "))
except OSError:
    tell("Last problem", "none")
try:
    import rtc, time
    rtc.RTC().datetime = time.struct_time((NOW, 0, -1, -1))
    tell("Clock", "set until it is switched off")
except Exception as e: tell("Clock", e)
for key in KEYS.split():
    for name in (key, key.lower()):
        value = os.getenv(name)
        if value is not None: tell(key, value)
`;

/** Read from a port, with a timeout. */
class Line {
  /** @param {SerialPort} port */
  constructor(port) {
    this.reader = port.readable.getReader();
    this.writer = port.writable.getWriter();
    this.text = "";
    this.decoder = new TextDecoder();
  }

  /** @param {string} text */
  write(text) {
    return this.writer.write(new TextEncoder().encode(text));
  }

  /**
   * @param {string} end
   * @returns {Promise<string>} the text before `end`
   */
  async until(end) {
    let timer = 0;
    /** @type {Promise<never>} */
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("the board does not answer; another program may be using it")), PATIENCE_MS);
    });
    try {
      while (!this.text.includes(end)) {
        const { value, done } = await Promise.race([this.reader.read(), late]);
        if (done) throw new Error("the board was unplugged");
        this.text += this.decoder.decode(value, { stream: true });
      }
    } finally {
      clearTimeout(timer);
    }
    const at = this.text.indexOf(end);
    const before = this.text.slice(0, at);
    this.text = this.text.slice(at + end.length);
    return before;
  }

  async close() {
    await this.reader.cancel().catch(() => {});
    this.reader.releaseLock();
    this.writer.releaseLock();
  }
}

/**
 * @param {Serial} serial navigator.serial
 * @param {string[]} keys of settings.toml to ask for
 * @returns {Promise<{facts: string[][], settings: Map<string, string>}>} rejects with one line on failure
 */
export async function askBoard(serial, keys) {
  const port = await serial.requestPort();
  await port.open({ baudRate: 115200 });
  const line = new Line(port);
  let answer;
  try {
    await line.write(INTERRUPT);
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    await line.write(ENTER_RAW);
    await line.until("raw REPL; CTRL-B to exit\r\n>");
    const now = new Date().toLocaleString("sv").split(/\D/).map(Number); // year to second
    await line.write(PROGRAM.replace("KEYS", JSON.stringify(keys.join(" "))).replace("NOW", String(now)) + RUN);
    await line.until("OK");
    answer = await line.until("\x04");
    const trouble = await line.until("\x04");
    if (trouble) throw new Error(`the board says: ${trouble.trim().split("\n").pop()}`);
    await line.write(LEAVE_AND_RESTART);
  } finally {
    await line.close();
    await port.close();
  }
  const rows = answer.trim().split(/\r?\n/).map((row) => row.split("\t"));
  return {
    facts: rows.filter(([name]) => !keys.includes(name)),
    settings: new Map(rows.filter(([name]) => keys.includes(name)).map(([name, value]) => [name, value])),
  };
}
