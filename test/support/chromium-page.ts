import { launchChromium } from '#test/support/chromium.ts';
import { asResult, chord, KEYS, read, type EnginePage } from './engine-page.ts';

export async function openChromium(): Promise<EnginePage> {
  const browser = await launchChromium();
  const page = await browser.newPage({ locale: 'pt-BR', reducedMotion: 'reduce' });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', ({ message }) => complaints.push(message));
  const names = new Map<string, string>(
    Object.entries(KEYS).map(([name, key]) => [key, /Right|Down/.test(name) ? `Arrow${name}` : name]),
  );
  return {
    open: (url) => page.goto(url),
    evaluate: async (code) => read(await page.evaluate(asResult(code))),
    type: async (text) => {
      const [held = '', others = ''] = chord(text);
      for (const key of held) await page.keyboard.down(names.get(key) ?? key);
      for (const key of others) {
        const name = names.get(key);
        await (name === undefined ? page.keyboard.type(key) : page.keyboard.press(name));
      }
      for (const key of held) await page.keyboard.up(names.get(key) ?? key);
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    complaints,
    close: () => browser.close(),
  };
}
