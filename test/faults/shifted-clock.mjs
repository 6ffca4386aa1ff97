// Loaded before a program (`node --import`). Shifts the machine's clock as the program sees it by
// the milliseconds in the file CLOCK_SHIFT_FILE, whenever it changes. Timers and performance.now()
// are not affected, as when a real clock is set.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let shift = 0;

function read() {
  try {
    shift = Number(readFileSync(process.env.CLOCK_SHIFT_FILE, 'utf8')) || 0;
  } catch {
    // Not written yet.
  }
}

const now = () => RealDate.now() + shift;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, values) => new target(...(values.length === 0 ? [now()] : values)),
  apply: (target) => new target(now()).toString(),
});

read();
setInterval(read, 20).unref();
