import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

/**
 * What is installed is what was reviewed: exact versions, locked by hash, with compatible licenses.
 */

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
}

const read = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(new URL(`../../../${name}`, import.meta.url), 'utf8'));

/** Licenses that require attribution only, and MPL-2.0, which applies to its own files only. */
const LICENCES = [
  /^(0BSD|Apache-2\.0|BSD-[23]-Clause|Bitstream-Vera|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|MIT-0)$/,
  /^(MPL-2\.0|PSF-2\.0|Python-2\.0|Unlicense|\(MIT OR [\w.-]+\)|MIT AND ISC AND BSD-3-Clause)$/,
];

/** Licenses of packages whose manifest has none, or refers to a file, read from that file. */
const READ_FROM_FILE: Readonly<Record<string, string>> = {
  'png-js': 'MIT',
  'dejavu-fonts-ttf': 'Bitstream-Vera',
};

const lock = await read<{ readonly packages: Readonly<Record<string, Locked>> }>('package-lock.json');
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
  .map(([path, locked]) => ({ name: path.split('node_modules/').at(-1) ?? '', ...locked }));

describe('dependencies', () => {
  it.each(['package.json', 'dashboard/package.json'])('of %s are pinned to one version', async (name) => {
    const { dependencies, devDependencies, optionalDependencies } = await read<Manifest>(name);
    const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('are locked by hash, without a fixed registry', () => {
    expect(packages.length).toBeGreaterThan(300);
    expect(packages.filter(({ integrity }) => integrity?.startsWith('sha512-') !== true)).toEqual([]);
    expect(packages.filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('run no install scripts unless allowed', async () => {
    const { allowScripts = {} } = await read<Manifest>('package.json');
    const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript === true);
    const unnamed = scripted.filter(({ name }) => !(name in allowScripts)).map(({ name }) => name);
    expect(unnamed).toEqual([]);
  });

  it('have compatible licenses', () => {
    const odd = packages.filter(({ name, license }) => {
      const licence = READ_FROM_FILE[name] ?? license ?? '';
      return !LICENCES.some((allowed) => allowed.test(licence));
    });
    expect(odd.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
  });
});
