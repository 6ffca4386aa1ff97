import manifest from '#package.json' with { type: 'json' };

/** The version of this gateway, as the manifest has it. */
export const VERSION: string = manifest.version;
