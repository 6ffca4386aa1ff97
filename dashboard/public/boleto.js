// The copy buttons of a boleto's page. They are hidden where this does not run.
const texts =
  document.documentElement.lang === 'en'
    ? {
        copied: 'Copied',
        selected: 'Code selected. Use the Copy command',
        announceCopied: 'Code copied.',
        announceSelected: 'The code is selected. Copy it with the menu of your browser.',
      }
    : {
        copied: 'Copiado',
        selected: 'Código selecionado. Copie pelo menu',
        announceCopied: 'Código copiado.',
        announceSelected: 'O código está selecionado. Copie-o pelo menu do navegador.',
      };
const announcement = document.getElementById('copied');

/** Selects the text, to copy it by hand or in browsers without a clipboard on plain HTTP. */
const select = (source) => {
  const range = document.createRange();
  range.selectNodeContents(source);
  const selection = getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
};

const copy = async (source) => {
  try {
    await navigator.clipboard.writeText(source.dataset.copyText ?? source.textContent);
    return true;
  } catch {
    select(source);
    return document.execCommand('copy');
  }
};

for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.textContent;
  let timer;
  const announce = (copied) => {
    button.textContent = copied ? texts.copied : texts.selected;
    announcement.textContent = copied ? texts.announceCopied : texts.announceSelected;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      announcement.textContent = '';
    }, 4000);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(document.getElementById(button.dataset.copy)).then(announce);
  });
}
