// Runs in the customer's page. It has no key and decides nothing: the server makes the order and knows the price.
const box = document.querySelector('#pay');
window.Milaan.mount('#pay', {
  createOrderUrl: box.dataset.create,
  statusUrl: box.dataset.status,
  amount: Number(box.dataset.amount),
  accent: '#1f6f54',
  onSuccess(order) {
    // Only for the screen: the next page asks the shop's server, and that asks Milaan.
    setTimeout(() => location.assign(`/back/${order.merchant_order_id}`), 1500);
  },
});
