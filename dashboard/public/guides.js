// The copy buttons of the guides. Without a clipboard, on plain HTTP, there are none.
const texts =
  document.documentElement.lang === 'en'
    ? { copy: 'Copy', copied: 'Copied' }
    : { copy: 'Copiar', copied: 'Copiado' };

const addButton = (figure) => {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = texts.copy;
  button.setAttribute('aria-live', 'polite');
  let timer;
  const announce = () => {
    button.textContent = texts.copied;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = texts.copy;
    }, 3000);
  };
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(figure.querySelector('pre').textContent).then(announce);
  });
  figure.querySelector('figcaption').append(button);
};

if (navigator.clipboard !== undefined) {
  for (const figure of document.querySelectorAll('.code:not(.output)')) addButton(figure);
}
