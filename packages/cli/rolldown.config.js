export default {
  input: 'src/main.ts',
  platform: 'node',
  // The SDK is part of the bundle.
  external: /^(commander|zod|@modelcontextprotocol)/,
  output: { dir: 'dist', entryFileNames: 'vereda.js', cleanDir: true },
};
