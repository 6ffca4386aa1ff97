import type { SettingsReader } from '#platform/config/settings-reader.ts';
import { bacenAdapterFactory } from '#providers/bacen/adapter.ts';
import { adyenAdapterFactory } from '#providers/adyen/adapter-factory.ts';
import type { AdapterDeps, AdapterFactory, ProviderAdapter } from './adapter.ts';

/** A provider of others that the operator has chosen, with its settings. */
export interface SelectedProvider {
  readonly name: string;
  open(deps: AdapterDeps): Promise<ProviderAdapter>;
}

/** Who makes the charges of a method payable: the sandbox, or providers of others in the order of choice. None: unavailable. */
export type ProviderSelection = 'sandbox' | readonly SelectedProvider[];

export interface ProviderSelections {
  readonly pix: ProviderSelection;
  readonly card: ProviderSelection;
}

const PIX_FACTORIES: Readonly<Record<string, AdapterFactory>> = { bacen: bacenAdapterFactory };
const CARD_FACTORIES: Readonly<Record<string, AdapterFactory>> = { adyen: adyenAdapterFactory };

export function readProviderSelections(reader: SettingsReader, sandbox: boolean): ProviderSelections {
  return {
    pix: readSelection(reader, 'PIX_PROVIDER', PIX_FACTORIES, sandbox),
    card: readSelection(reader, 'CARD_PROVIDER', CARD_FACTORIES, sandbox),
  };
}

/** A list like `bacen,bacen2`: a kind, and a number where there are several of it; each has settings of its own. */
function readSelection(
  reader: SettingsReader,
  setting: string,
  factories: Readonly<Record<string, AdapterFactory>>,
  sandbox: boolean,
): ProviderSelection {
  const text = reader.text(setting);
  if (text === undefined) return sandbox ? 'sandbox' : [];
  if (text === 'sandbox') {
    if (!sandbox)
      reader.errors.push(`${setting} must not be sandbox outside MODE=sandbox: it moves no money`);
    return 'sandbox';
  }
  const names = text.split(',').map((name) => name.trim());
  if (new Set(names).size < names.length) {
    reader.errors.push(`${setting} must name each provider once, got ${JSON.stringify(text)}`);
    return [];
  }
  return names.flatMap((name) => {
    const kind = /^([a-z]+)([2-9]?)$/.exec(name)?.[1] ?? '';
    const factory = Object.hasOwn(factories, kind) ? factories[kind] : undefined;
    if (factory === undefined) {
      const known = Object.keys(factories).map((one) => `${one}, ${one}2`);
      const form = [...(sandbox ? ['sandbox'] : []), ...known].join(', ');
      reader.errors.push(`${setting} must be one or more of ${form}, got ${JSON.stringify(name)}`);
      return [];
    }
    return [{ name, open: factory(reader, name.toUpperCase(), { sandbox }) }];
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
  { pix, card }: ProviderSelections,
  deps: Omit<AdapterDeps, 'name'>,
): Promise<OpenProviders> {
  const opened = new Map<string, ProviderAdapter>();
  const open = async (selection: ProviderSelection): Promise<'sandbox' | readonly ProviderAdapter[]> => {
    if (selection === 'sandbox') return selection;
    const adapters: ProviderAdapter[] = [];
    for (const selected of selection) {
      const { name } = selected;
      const adapter = opened.get(name) ?? (await selected.open({ ...deps, name }));
      opened.set(name, adapter);
      adapters.push(adapter);
    }
    return adapters;
  };
  const openByMethod = { pix: await open(pix), card: await open(card) };
  return { ...openByMethod, all: [...opened.values()] };
}
