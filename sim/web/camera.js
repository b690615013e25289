/** Read a QR code by the camera, where the browser can: elsewhere the letters have to do. */

const LOOK_MS = 200;
const QR = "qr_code";

export class Camera {
  /** @param {HTMLVideoElement} view */
  constructor(view) {
    this.view = view;
  }

  /** @returns {Promise<boolean>} whether this browser reads QR codes */
  static async canRead() {
    if (!navigator.mediaDevices) return false;
    return Boolean((await globalThis.BarcodeDetector?.getSupportedFormats())?.includes(QR));
  }

  /** @returns {Promise<string>} what the first code says that is held before the camera, "" if stop() came before */
  async read() {
    const { view } = this;
    this.stop();
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    view.srcObject = stream;
    view.hidden = false;
    try {
      await view.play();
      const detector = new BarcodeDetector({ formats: [QR] });
      while (view.srcObject === stream) {
        const [code] = await detector.detect(view);
        if (code) return code.rawValue;
        await new Promise((done) => setTimeout(done, LOOK_MS));
      }
      return "";
    } finally {
      for (const track of stream.getTracks()) track.stop();
      if (view.srcObject === stream) this.stop();
    }
  }

  stop() {
    this.view.srcObject = null;
    this.view.hidden = true;
  }
}
