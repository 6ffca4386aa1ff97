import { texts } from './texts.ts';

/** The page in its document: it is replaced as a whole when the payment changes. */

export const pageElement = (): HTMLElement => find('page');

export function find(id: string): HTMLElement {
  const element = findOptional(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}

export const findOptional = (id: string): HTMLElement | null => document.getElementById(id);

export const findInput = (id: string): HTMLInputElement | null => {
  const element = findOptional(id);
  return element instanceof HTMLInputElement ? element : null;
};

/** Announces to screen readers. */
export function announce(text: string): void {
  find('announcement').textContent = text;
}

/** Loads the page at a path of the gateway and shows it. Returns false without a connection. */
export async function showPage(path: string): Promise<boolean> {
  try {
    const response = await fetch(path, { headers: { accept: 'text/html' }, credentials: 'omit' });
    if (response.status >= 500 || response.status === 429) return false;
    const loaded = new DOMParser().parseFromString(await response.text(), 'text/html');
    const main = loaded.getElementById('page');
    if (main === null) return false;
    pageElement().replaceWith(document.adoptNode(main));
    document.title = loaded.title;
    if (location.pathname !== path) history.pushState(null, '', path + location.search);
    main.querySelector('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    announce(main.dataset['announce'] ?? '');
    return true;
  } catch {
    return false;
  }
}

export function enableCopying(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    const label = button.textContent;
    const source = find(button.dataset['copy'] ?? '');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const copyAndTell = async () => {
      const copied = await copy(source);
      button.textContent = copied ? texts.copied : texts.selected;
      announce(copied ? texts.announceCopied : texts.announceSelected);
      clearTimeout(timer);
      timer = setTimeout(() => (button.textContent = label), 4_000);
    };
    button.addEventListener('click', () => void copyAndTell());
  }
}

async function copy(source: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.dataset['copyText'] ?? source.textContent);
    return true;
  } catch {
    // Browsers without a clipboard, as on plain HTTP and in frames: the selection can be copied.
    const range = document.createRange();
    range.selectNodeContents(source);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return document.execCommand('copy');
  }
}
