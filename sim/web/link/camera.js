/** Read a QR code by the camera, if the browser can; otherwise players use the link's text. */

const LOOK_MS = 200;
const QR = "qr_code";

export class Camera {
  /** @param {HTMLVideoElement} view */
  constructor(view) {
    this.view = view;
    /** @type {object|null} the read() that is running */
    this.wish = null;
  }

  /** @returns {Promise<boolean>} whether this browser reads QR codes */
  static async canRead() {
    if (!navigator.mediaDevices) return false;
    return Boolean((await globalThis.BarcodeDetector?.getSupportedFormats())?.includes(QR));
  }

  /** @returns {Promise<string>} the text of the first code before the camera, "" after stop() */
  async read() {
    this.stop();
    const wish = (this.wish = {});
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    try {
      if (this.wish !== wish) return ""; // stop() came while the browser asked for permission
      this.view.srcObject = stream;
      this.view.hidden = false;
      await this.view.play();
      const Detector = globalThis.BarcodeDetector;
      if (!Detector) return "";
      const detector = new Detector({ formats: [QR] });
      while (this.wish === wish) {
        const [code] = await detector.detect(this.view);
        if (code) return code.rawValue;
        await new Promise((done) => setTimeout(done, LOOK_MS));
      }
      return "";
    } finally {
      for (const track of stream.getTracks()) track.stop();
      if (this.wish === wish) this.stop();
    }
  }

  stop() {
    this.wish = null;
    this.view.srcObject = null;
    this.view.hidden = true;
  }
}
