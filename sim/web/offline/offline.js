/** Make the page work without a network, and load a new version when the player agrees. */

import { explain, offer } from "../menus/notice.js";

/** @param {() => void} leave pauses and saves the game */
export async function keepOffline(leave) {
  try {
    const workers = navigator.serviceWorker; // a sandboxed frame throws here
    if (!workers) return;
    const controlled = Boolean(workers.controller);
    const registration = await workers.register(new URL("sw.js", document.baseURI));
    const propose = () => {
      // The first version is not an update.
      if (!registration.waiting || !controlled) return;
      offer("A new version of Skyline is ready.", "Take it", () => {
        leave();
        workers.addEventListener("controllerchange", () => location.reload(), { once: true });
        registration.waiting?.postMessage("go");
      });
    };
    propose();
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", propose);
    });
  } catch (problem) {
    console.info("Skyline works only online here:", explain(problem));
  }
}

/** Have the worker keep the files too that no first game needs. */
export async function keepRest() {
  try {
    (await navigator.serviceWorker.ready).active?.postMessage("rest");
  } catch {
    // Here is no worker; keepOffline() has said so.
  }
}
