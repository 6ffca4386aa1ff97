import { readFileSync } from 'node:fs';

/** Their licenses require that the bundle contains them. */
const BUNDLED = ['commander', '@stablelib/base64', 'fast-sha256'];
const licenseOf = (name) => readFileSync(`../../node_modules/${name}/LICENSE`, 'utf8').trim();

export default {
  input: 'src/main.ts',
  platform: 'node',
  // The SDK and commander are part of the bundle. As a dependency, commander requires Node 22.
  external: /^(zod|@modelcontextprotocol)/,
  output: {
    dir: 'dist',
    entryFileNames: 'vereda.js',
    cleanDir: true,
    banner: ({ isEntry }) =>
      isEntry ? BUNDLED.map((name) => `/*!\n${name}\n\n${licenseOf(name)}\n*/`).join('\n') : '',
  },
};
