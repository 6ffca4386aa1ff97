import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Writes compressed variants beside each file at build time, so that no request has to wait for
 * compression.
 */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir }) {
      const assets = join(dir ?? 'dist', 'assets');
      const names = (await readdir(assets)).filter((name) => /\.(?:js|css|svg)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const bytes = await readFile(join(assets, name));
          const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
          await writeFile(join(assets, `${name}.br`), await promisify(brotliCompress)(bytes, best));
          await writeFile(join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
        }),
      );
    },
  };
}

/**
 * Moves the style sheets behind what the page shows first, which has styles of its own: the browser
 * paints it without waiting for them. The script still waits. The theme, which Mantine writes into
 * the root, stays behind them and wins.
 */
function paintsFirst(): Plugin {
  return {
    name: 'paints-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const styles = html.match(/<link rel="stylesheet"[^<>]*>/g) ?? [];
        const head = styles.reduce((rest, style) => rest.replace(style, ''), html);
        return head.replace('    <div id="root">', `${styles.join('')}    <div id="root">`);
      },
    },
  };
}

const gateway = process.env['VEREDA_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/dashboard/',
  // The gateway serves the files in public/ itself.
  publicDir: false,
  plugins: [react(), paintsFirst(), compressed()],
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 600 },
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/assets', '/boletos', '/pix', '/docs', '/openapi'].map((path) => [path, gateway]),
    ),
  },
});
