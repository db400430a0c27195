/** Code that works when it is pasted: the installation's own address, and the key in one clear place. */
export function codeSamples(baseUrl: string): { id: string; name: string; code: string }[] {
  return [
    { id: 'curl', name: 'curl', code: curl(baseUrl) },
    { id: 'typescript', name: 'TypeScript', code: typescript(baseUrl) },
    { id: 'php', name: 'PHP', code: php(baseUrl) },
    { id: 'python', name: 'Python', code: python(baseUrl) },
  ];
}

export function widgetSnippet(baseUrl: string): string {
  return `<div id="pay"></div>
<script src="${baseUrl}/embed/milaan.js"></script>
<script>
  Milaan.mount('#pay', { createOrderUrl: '/create-upi-order' });
</script>`;
}

const fields = {
  success_url: 'https://shop.example.com/thanks',
  failure_url: 'https://shop.example.com/cart',
  webhook_url: 'https://shop.example.com/webhooks/upi',
};

function curl(baseUrl: string): string {
  return `curl ${baseUrl}/api/v1/orders \\
  -H 'X-API-Key: YOUR_API_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '{
    "amount": 499,
    "merchant_order_id": "cart-'"$(date +%s%N)"'",
    "success_url": "${fields.success_url}",
    "failure_url": "${fields.failure_url}",
    "webhook_url": "${fields.webhook_url}"
  }'`;
}

function typescript(baseUrl: string): string {
  return `const response = await fetch('${baseUrl}/api/v1/orders', {
  method: 'POST',
  headers: { 'X-API-Key': 'YOUR_API_KEY', 'Content-Type': 'application/json' },
  body: JSON.stringify({
    amount: 499,
    merchant_order_id: \`cart-\${crypto.randomUUID()}\`,
    success_url: '${fields.success_url}',
    failure_url: '${fields.failure_url}',
    webhook_url: '${fields.webhook_url}',
  }),
});
const order = await response.json();
if (!response.ok) throw new Error(\`\${order.error}: \${order.message}\`);
// Send the customer to order.payment_url, and ask for exactly order.payable_amount.
console.log(order.order_id, order.payable_amount, order.payment_url);`;
}

function php(baseUrl: string): string {
  return `<?php
$request = curl_init('${baseUrl}/api/v1/orders');
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => ['X-API-Key: YOUR_API_KEY', 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode([
        'amount' => 499,
        'merchant_order_id' => 'cart-' . bin2hex(random_bytes(8)),
        'success_url' => '${fields.success_url}',
        'failure_url' => '${fields.failure_url}',
        'webhook_url' => '${fields.webhook_url}',
    ]),
]);
$order = json_decode(curl_exec($request), true);
if (isset($order['error'])) {
    throw new RuntimeException($order['error'] . ': ' . $order['message']);
}
header('Location: ' . $order['payment_url']);`;
}

function python(baseUrl: string): string {
  return `import json
import uuid
import urllib.request

request = urllib.request.Request(
    "${baseUrl}/api/v1/orders",
    headers={"X-API-Key": "YOUR_API_KEY", "Content-Type": "application/json"},
    data=json.dumps({
        "amount": 499,
        "merchant_order_id": f"cart-{uuid.uuid4()}",
        "success_url": "${fields.success_url}",
        "failure_url": "${fields.failure_url}",
        "webhook_url": "${fields.webhook_url}",
    }).encode(),
)
with urllib.request.urlopen(request) as response:
    order = json.load(response)
print(order["order_id"], order["payable_amount"], order["payment_url"])`;
}
