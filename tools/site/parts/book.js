/** Keep the book for times without a network, and let the keyboard reach what scrolls. */

const root = new URL(document.documentElement.dataset.content_root, location.href);

navigator.serviceWorker?.register(new URL("sw.js", root)).catch(() => {});

for (const box of document.querySelectorAll(".table-wrapper, .highlight pre")) {
  box.tabIndex = 0;
}
