/** Tell the player one line; "" takes it away. */
export function tell(line) {
  document.getElementById("notice").textContent = line;
}
