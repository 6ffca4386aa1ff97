import { execFile, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePort } from '#test/support/free-port.ts';
import { openChromium } from './chromium-page.ts';
import { asResult, chord, read, type EnginePage, type Json } from './engine-page.ts';

const MINI_BROWSER = 'ls /usr/lib/*/webkit2gtk-4.1/MiniBrowser';
const PROGRAMS = {
  chromium: 'echo "$CHROMIUM_PATH" | grep . || command -v chromium-headless-shell || command -v chromium',
  firefox: 'command -v firefox-esr',
  webkit: `command -v WebKitWebDriver && command -v xvfb-run && ${MINI_BROWSER}`,
} as const;
const PACKAGES = {
  chromium: 'chromium-headless-shell',
  firefox: 'firefox-esr',
  webkit: 'webkit2gtk-driver xvfb xauth',
} as const;
export type Engine = keyof typeof PROGRAMS;
const shell = async (command: string) => (await promisify(execFile)('sh', ['-c', command])).stdout.trim();
/** How to install a browser that is missing. */
export async function whyMissing(engine: Engine): Promise<string | undefined> {
  const found = await shell(PROGRAMS[engine]).catch(() => undefined);
  return found === undefined ? `${engine} is missing: apt-get install ${PACKAGES[engine]}` : undefined;
}

export const launchEngine = (engine: Engine): Promise<EnginePage> =>
  ({ chromium: openChromium, firefox: openFirefox, webkit: openWebKit })[engine]();

type Send = (method: string, body: object) => Promise<Json>;
const act = (type: string) => (value: string) => ({ type, value });

function typing(text: string) {
  const [held = '', others = ''] = chord(text);
  const pressed = others.split('').flatMap((key) => [act('keyDown')(key), act('keyUp')(key)]);
  return [...held.split('').map(act('keyDown')), ...pressed, ...held.split('').map(act('keyUp'))];
}
/** Both protocols have the same actions. */
const keys = (text: string) => ({ actions: [{ type: 'key', id: 'keys', actions: typing(text) }] });
/** Starts a program with files in its home. `stop` ends its process group. */
async function start(command: string, args: readonly string[], files: Readonly<Record<string, string>>) {
  const home = await mkdtemp(join(tmpdir(), 'engine-'));
  await mkdir(join(home, 'gtk-3.0'));
  for (const [file, content] of Object.entries(files)) await writeFile(join(home, file), content);
  // Without a graphics card, composing layers costs WebKit more than painting them.
  const settings = { HOME: home, XDG_CONFIG_HOME: home, WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
  const env = { ...process.env, ...settings };
  const child = spawn(command, args, { cwd: home, detached: true, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = async () => {
    if (child.pid !== undefined) process.kill(-child.pid);
    await once(child, 'close');
    await rm(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 100 });
  };
  return { child, stop };
}

const PREFERENCES = 'user_pref("intl.accept_languages", "pt-BR"); user_pref("ui.prefersReducedMotion", 1);';

async function openFirefox(): Promise<EnginePage> {
  const args = ['--headless', '--no-remote', '--profile', '.', '--remote-debugging-port=0'];
  const { child, stop } = await start('firefox-esr', args, { 'user.js': PREFERENCES });
  let printed = '';
  const address = await new Promise<string>((resolve) => {
    child.stderr.on('data', (text) => /ws:\/\/\S+(?=\s)/.exec((printed += text))?.forEach(resolve));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const complaints: string[] = [];
  const responses = new EventEmitter();
  socket.addEventListener('message', ({ data }) => {
    const { id, params, ...response } = JSON.parse(String(data));
    if (params?.level === 'error') complaints.push(params.text);
    responses.emit(String(id), response);
  });
  let last = 0;
  const send: Send = async (method, params) => {
    const answered = once(responses, String((last += 1)));
    socket.send(JSON.stringify({ id: last, method, params }));
    const [response] = await answered;
    return read({ value: response.result, ...(response.type === 'error' && { error: response.message }) });
  };
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  // A window is active when it opens, and no longer once Tab has led to the browser's own controls.
  // One that is not active has no events of the focus, and its keys press no buttons.
  const openWindow = async () => (await send('browsingContext.create', { type: 'window' })).context;
  let context = await openWindow();
  let viewport: object | null = null;
  return {
    open: async (url) => {
      const before = { context };
      context = await openWindow();
      await send('browsingContext.close', before);
      await send('browsingContext.setViewport', { context, viewport });
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    evaluate: async (code) => {
      const expression = `${asResult(code)}.then(JSON.stringify)`;
      const call = { expression, target: { context }, awaitPromise: true };
      return read(JSON.parse((await send('script.evaluate', call)).result.value));
    },
    type: (text) => send('input.performActions', { context, ...keys(text) }),
    resize: (width, height) => {
      viewport = { width, height };
      return send('browsingContext.setViewport', { context, viewport });
    },
    complaints,
    close: stop,
  };
}

/** The toolbar would keep the window wider than a phone. */
const SMALL_TOOLBAR = '* { all: unset; font-size: 4px } image { -gtk-icon-transform: scale(0.1) }';
const GTK = {
  'gtk-3.0/gtk.css': SMALL_TOOLBAR,
  'gtk-3.0/settings.ini': '[Settings]\ngtk-enable-animations=0',
};

async function openWebKit(): Promise<EnginePage> {
  const port = String(await freePort());
  const args = ['-a', '-s', '-screen 0 1400x1000x24', 'WebKitWebDriver', `--port=${port}`];
  const { stop } = await start('xvfb-run', args, GTK);
  let session = `http://127.0.0.1:${port}/session`;
  while ((await fetch(session).catch(() => undefined)) === undefined) await setTimeout(100);
  const post: Send = async (path, body) => {
    const response = await fetch(session + path, { method: 'POST', body: JSON.stringify(body) });
    const { value } = JSON.parse(await response.text());
    return read({ value, ...(!response.ok && { error: `${path}: ${value.message}` }) });
  };
  const options = { binary: await shell(MINI_BROWSER), args: ['--automation'] };
  const wanted = { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } };
  session += `/${(await post('', wanted)).sessionId}`;
  const evaluate = async (code: string) =>
    read(await post('/execute/async', { script: `${asResult(code)}.then(arguments[0])`, args: [] }));
  return {
    open: (url) => post('/url', { url }),
    evaluate,
    type: (text) => post('/actions', keys(text)),
    resize: (width, height) => post('/window/rect', { x: 0, y: 0, width, height }),
    complaints: [],
    close: stop,
  };
}
