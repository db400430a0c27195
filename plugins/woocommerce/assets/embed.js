(() => {
  const place = document.getElementById('milaan-upi');
  if (!place) return;
  const { create, amount, done } = place.dataset;
  window.Milaan.mount('#milaan-upi', {
    createOrderUrl: create,
    amount: Number(amount),
    // The customer pressed "Place order" just before.
    autoStart: true,
    // Only for the screen: the next page asks Milaan's server before it thanks anybody.
    onSuccess: order => {
      const next = new URL(done);
      next.searchParams.set('merchant_order_id', order.merchant_order_id || '');
      location.assign(next);
    },
  });
})();
