import type { SettingsReader } from '#platform/config/settings-reader.ts';
import { bacenPix } from '#providers/bacen/adapter.ts';
import { adyenCards } from '#providers/adyen/kind.ts';
import type { AdapterDeps, AdapterKind, ProviderAdapter } from './adapter.ts';

/** A provider of others that the operator has chosen, with its settings. */
export interface ChosenProvider {
  readonly name: string;
  open(deps: AdapterDeps): Promise<ProviderAdapter>;
}

/** Who makes the charges of a method payable: the sandbox, or providers of others in the order of choice. None: unavailable. */
export type Choice = 'sandbox' | readonly ChosenProvider[];

export interface ChosenProviders {
  readonly pix: Choice;
  readonly card: Choice;
}

const PIX_KINDS: Readonly<Record<string, AdapterKind>> = { bacen: bacenPix };
const CARD_KINDS: Readonly<Record<string, AdapterKind>> = { adyen: adyenCards };

export function readProviders(reader: SettingsReader, sandbox: boolean): ChosenProviders {
  return {
    pix: readChoice(reader, 'PIX_PROVIDER', PIX_KINDS, sandbox),
    card: readChoice(reader, 'CARD_PROVIDER', CARD_KINDS, sandbox),
  };
}

/** A list like `bacen,bacen2`: a kind, and a number where there are several of it; each has settings of its own. */
function readChoice(
  reader: SettingsReader,
  setting: string,
  kinds: Readonly<Record<string, AdapterKind>>,
  sandbox: boolean,
): Choice {
  const text = reader.text(setting);
  if (text === undefined) return sandbox ? 'sandbox' : [];
  if (text === 'sandbox') {
    if (!sandbox) reader.wrong.push(`${setting} must not be sandbox outside MODE=sandbox: it moves no money`);
    return 'sandbox';
  }
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) {
    reader.wrong.push(`${setting} must name each provider once, got ${JSON.stringify(text)}`);
    return [];
  }
  return names.flatMap((name) => {
    const kind = /^([a-z]+)([2-9]?)$/.exec(name)?.[1] ?? '';
    const read = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (read === undefined) {
      const known = Object.keys(kinds).map((one) => `${one}, ${one}2`);
      const form = [...(sandbox ? ['sandbox'] : []), ...known].join(', ');
      reader.wrong.push(`${setting} must be one or more of ${form}, got ${JSON.stringify(name)}`);
      return [];
    }
    return [{ name, open: read(reader, name.toUpperCase(), { sandbox }) }];
  });
}

/** What was opened, by what it is for; each in the order of choice. */
export interface OpenProviders {
  readonly all: readonly ProviderAdapter[];
  readonly pix: 'sandbox' | readonly ProviderAdapter[];
  readonly card: 'sandbox' | readonly ProviderAdapter[];
}

/** Nobody but the sandbox, whatever is set: for what is only played. */
export const SANDBOX_ONLY: OpenProviders = { all: [], pix: 'sandbox', card: 'sandbox' };

export async function openProviders(
  { pix, card }: ChosenProviders,
  deps: Omit<AdapterDeps, 'name'>,
): Promise<OpenProviders> {
  const opened = new Map<string, ProviderAdapter>();
  const open = async (choice: Choice): Promise<'sandbox' | readonly ProviderAdapter[]> => {
    if (choice === 'sandbox') return choice;
    const adapters: ProviderAdapter[] = [];
    for (const chosen of choice) {
      const { name } = chosen;
      const adapter = opened.get(name) ?? (await chosen.open({ ...deps, name }));
      opened.set(name, adapter);
      adapters.push(adapter);
    }
    return adapters;
  };
  const found = { pix: await open(pix), card: await open(card) };
  return { ...found, all: [...opened.values()] };
}
