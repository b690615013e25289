// What the scripts use and the standard libraries of types lack.

interface SerialPort {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  open(how: { baudRate: number }): Promise<void>;
  close(): Promise<void>;
  setSignals(signals: { dataTerminalReady: boolean }): Promise<void>;
}

interface Serial {
  requestPort(): Promise<SerialPort>;
}

interface Navigator {
  readonly serial?: Serial;
  readonly keyboard?: { getLayoutMap?: () => Promise<Map<string, string>> };
}

interface Detector {
  detect(view: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

declare var BarcodeDetector: undefined | {
  new (how: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
};

/** What the page calls of sim/web/handheld.py. */
interface Program {
  places(): number;
  begin(calm: number, seed: number): void;
  complete(address: number, length: number): void;
  give_up(): void;
  revive(length: number): void;
  step(): void;
  open_link(): void;
  write_recording(): number;
  result(): number;
  watched(): number;
  name(): number;
  initials(): number;
  told(): number;
  read(): number;
  play_by_ear(): void;
}

/** What the page calls of sim/web/requests.py, once the whole firmware is there. */
interface Requests {
  check(length: number): number;
  watch(length: number): void;
  try_again(length: number, player: number): number;
  open_screen(length: number): number;
  write_daily_line(length: number): number;
  write_rules(): number;
  load_rules(length: number): number;
}

interface Python {
  _module: { HEAPU8: Uint8Array<ArrayBuffer>; _malloc(bytes: number): number };
  globals: { get(name: string): any };
  runPython(text: string): any;
  registerJsModule(name: string, host: object): void;
}

type LoadMicroPython = (how: object) => Promise<Python>;

/** Where the bytes of the link come from, and go to. */
interface LinkEnd {
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

type Receive = (bytes: Uint8Array) => void;

interface Game {
  id?: number;
  at: number;
  name: string;
  told: string;
  recording: Uint8Array<ArrayBuffer>;
  picture: Uint8Array;
  pinned?: boolean;
}

type Description = { type: RTCSdpType; sdp: string };

declare var skyline: object;
