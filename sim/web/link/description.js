/**
 * Shorten WebRTC's description of two thousand letters to about 200: a link that fits into any message, and a QR code
 * that any camera reads. A text is KIND,USER,PASSWORD,FINGERPRINT,ADDRESS...,CHECK.
 */

const OFFER = "o";
const ANSWER = "a";
const HEX = 16;
const PASS = "[\\w+/-]";
const WORD = new RegExp(`^([${OFFER}${ANSWER}]),(${PASS}{4,256}),(${PASS}{22,256}),([\\w-]{43})((?:,[hs][\\w.:-]+:\\d{1,5}){1,12}),([0-9a-z]{1,6})$`);
const MARKS = /^\S*#(?:join|answer)=/;

/**
 * @param {string} text
 * @returns {string} a checksum, which reveals a cut or mistyped text
 */
function check(text) {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 1_000_003;
  return sum.toString(36);
}

/**
 * @param {RTCSessionDescription} description with all addresses
 * @returns {string} its text
 */
export function writeDescription({ type, sdp }) {
  const find = (/** @type {RegExp} */ line) => sdp.match(line)?.[1] ?? "";
  const print = find(/^a=fingerprint:sha-256 ([0-9A-F:]+)/im).split(":");
  const letters = btoa(String.fromCharCode(...print.map((pair) => parseInt(pair, HEX))));
  const addresses = [...sdp.matchAll(/^a=candidate:\S+ 1 udp \d+ (\S+) (\d+) typ (host|srflx)/gim)];
  const parts = [
    type === "offer" ? OFFER : ANSWER,
    find(/^a=ice-ufrag:(\S+)/m),
    find(/^a=ice-pwd:(\S+)/m),
    letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    ...addresses.map(([, address, port, kind]) => `${kind[0]}${address}:${port}`),
  ];
  const text = parts.join();
  return `${text},${check(text)}`;
}

/**
 * @param {string} text or a link that holds it
 * @returns {Description} its content; throws if the text is not one of ours
 */
export function readDescription(text) {
  const bare = text.replaceAll(/\s/g, "").replace(MARKS, "").replace(/&relay=.*/, "");
  const found = bare.match(WORD);
  if (!found || check(bare.slice(0, bare.lastIndexOf(","))) !== found[6]) throw new Error("this is not a whole invitation");
  const [, kind, user, password, letters, addresses] = found;
  const print = Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0).toString(HEX).padStart(2, "0").toUpperCase(),
  );
  const candidates = addresses.slice(1).split(",").map((address, at) => {
    const [, type, host, port] = /** @type {RegExpMatchArray} */ (address.match(/^(.)(.*):(\d+)$/));
    const rest = type === "h" ? "host" : "srflx raddr 0.0.0.0 rport 0";
    return `a=candidate:${at + 1} 1 udp ${type === "h" ? 2113937151 - at : 1677729535 - at} ${host} ${port} typ ${rest}`;
  });
  const sdp = [
    "v=0",
    "o=- 1 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    ...candidates,
    `a=ice-ufrag:${user}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${print.join(":")}`,
    `a=setup:${kind === OFFER ? "actpass" : "active"}`,
    "a=mid:0",
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    "",
  ];
  return { type: kind === OFFER ? "offer" : "answer", sdp: sdp.join("\r\n") };
}
