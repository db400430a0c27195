(() => {
  const { registerPaymentMethod } = window.wc.wcBlocksRegistry;
  const settings = window.wc.wcSettings.getSetting('milaan_data', {});
  const { createElement } = window.wp.element;
  const plain = text => window.wp.htmlEntities.decodeEntities(text || '');

  const Words = () => createElement('div', null, plain(settings.description));
  registerPaymentMethod({
    name: 'milaan',
    label: createElement('span', null, plain(settings.title)),
    ariaLabel: plain(settings.title),
    content: createElement(Words),
    edit: createElement(Words),
    placeOrderButtonLabel: plain(settings.button),
    canMakePayment: () => true,
    supports: { features: ['products'] },
  });
})();
