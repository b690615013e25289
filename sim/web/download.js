const LONG_MS = 60_000; // enough for any browser to have taken it

/** Have the browser save a file. */
export function download(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), LONG_MS);
}
