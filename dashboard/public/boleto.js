// The copy buttons of a boleto's page. They are hidden where this does not run.
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
  const tell = (copied) => {
    button.textContent = copied ? 'Copiado' : 'Selecionado. Agora toque em Copiar';
    announcement.textContent = copied ? 'Código copiado.' : 'O código está selecionado.';
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
      announcement.textContent = '';
    }, 4000);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    void copy(document.getElementById(button.dataset.copy)).then(tell);
  });
}
