import { defineConfig, type OxlintConfig } from 'oxlint';

/**
 * The modules of `src/`, from the top layer down. A module imports modules of lower layers only:
 * none above it and none beside it. `main.ts` stands above all of them.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['app'],
  ['operator'],
  ['reports'],
  ['cnab', 'providers', 'checkout'],
  ['subscriptions'],
  ['payouts', 'onboarding'],
  ['payments'],
  ['accounting'],
  ['privacy'],
  ['webhooks'],
  ['identity'],
  ['notifications'],
  ['sellers'],
  ['audit'],
  ['platform'],
  ['formats'],
];

const MODULES = LAYERS.flat();

/**
 * The import rules of one module: no module of the same or a higher layer, and no other module's
 * store.
 */
function moduleRules(module: string): NonNullable<OxlintConfig['overrides']>[number] {
  const depth = LAYERS.findIndex((layer) => layer.includes(module));
  const forbidden = LAYERS.slice(0, depth + 1)
    .flat()
    .filter((other) => other !== module);
  const others = MODULES.filter((other) => other !== module);
  const patterns = [
    {
      regex: `^#(${others.join('|')})/(.*/)?store(-[a-z-]+)?\\.ts$`,
      message: 'A store is private to its module. Import the service of that module.',
    },
    { regex: '^\\.\\./', message: 'Import files of other folders as #module/file.ts.' },
    {
      regex: '^#main\\.ts$',
      message: 'main.ts is the entry point. No module imports it.',
    },
    { regex: '^#tools/', message: 'Tools import the gateway, never the other way round.' },
    ...(forbidden.length === 0
      ? []
      : [
          {
            regex: `^#(${forbidden.join('|')})/`,
            message: `${module}/ imports modules of lower layers only (see LAYERS in oxlint.config.ts).`,
          },
        ]),
  ];
  return {
    files: [`src/${module}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node', 'oxc', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/no-unnecessary-type-assertion': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'no-console': 'error',
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-await-in-loop': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/consistent-return': 'off',
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
  },
  overrides: [
    ...MODULES.map(moduleRules),
    {
      files: ['src/cnab/codec/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                regex: '^#(?!formats/|platform/kit/)|^\\.\\./',
                message: 'The codec is pure. It imports formats/ and platform/kit/ only.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['dashboard/src/**/*.ts', 'dashboard/src/**/*.tsx'],
      excludeFiles: ['**/*.test.ts', '**/*.gen.ts'],
      rules: { 'max-lines-per-function': ['error', { max: 70 }] },
    },
    {
      files: ['src/**/*.ts', 'packages/**/*.ts', 'tools/**/*.ts', 'bench/**/*.ts'],
      excludeFiles: ['**/*.test.ts', '**/*.gen.ts'],
      rules: {
        'max-lines-per-function': ['error', { max: 70 }],
        'max-params': ['error', { max: 4 }],
      },
    },
    {
      files: [
        'vitest.config.ts',
        'oxlint.config.ts',
        'dashboard/vite.config.ts',
        'packages/cli/rolldown.config.js',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['dashboard/src/**'],
      plugins: ['typescript', 'unicorn', 'import', 'promise', 'oxc', 'react', 'jsx-a11y'],
      rules: {
        'react/react-in-jsx-scope': 'off',
        'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
        'jsx-a11y/prefer-tag-over-role': 'off',
      },
    },
    {
      files: ['examples/**'],
      rules: { 'no-console': 'off', 'typescript/no-unsafe-type-assertion': 'off' },
    },
    { files: ['bench/**', 'test/support/**'], rules: { 'no-console': 'off' } },
    {
      files: ['test/faults/**'],
      rules: { 'vitest/no-standalone-expect': 'off', 'vitest/no-conditional-expect': 'off' },
    },
    {
      files: ['test/model/**', 'test/fuzz/**'],
      rules: {
        'no-console': 'off',
        'vitest/no-standalone-expect': 'off',
        'vitest/no-conditional-expect': 'off',
      },
    },
  ],
  ignorePatterns: [
    'node_modules',
    'dist',
    'src/platform/database/types.gen.ts',
    'dashboard/src/api/schema.gen.ts',
    'packages/sdk/src/schema.gen.ts',
    'src/notifications/templates/layout.gen.ts',
  ],
});
