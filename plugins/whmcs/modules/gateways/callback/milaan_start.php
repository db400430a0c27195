<?php
/** The button on an invoice creates the order and sends the customer to its payment page. It adds no payment. */

require_once __DIR__ . '/../../../init.php';
require_once __DIR__ . '/../../../includes/gatewayfunctions.php';
require_once __DIR__ . '/../../../includes/invoicefunctions.php';
require_once __DIR__ . '/../milaan/Milaan.php';
require_once __DIR__ . '/../milaan/start-link.php';
require_once __DIR__ . '/../milaan/invoice.php';
require_once __DIR__ . '/../milaan/start-payment.php';

$gateway = getGatewayVariables('milaan');
if (empty($gateway['type'])) {
    http_response_code(503);
    die('Module Not Activated');
}
$posted = static function (string $name): string {
    return is_string($_POST[$name] ?? null) ? $_POST[$name] : '';
};
$id = preg_match('/^\d{1,9}$/D', $posted('invoice')) ? (int) $posted('invoice') : 0;
if ($id < 1 || !Milaan\Whmcs\is_start_token($posted('token'), $id, (string) $gateway['apiKey'], time())) {
    http_response_code(400);
    die('Please open your invoice again and press the button there.');
}
try {
    header('Location: ' . Milaan\Whmcs\start_payment($id, $gateway, time()), true, 303);
} catch (Milaan\Whmcs\CannotPay $why) {
    http_response_code(200);
    header('Content-Type: text/html; charset=utf-8');
    $back = htmlspecialchars(Milaan\Whmcs\invoice_address($id, $gateway), ENT_QUOTES, 'UTF-8');
    echo '<!doctype html><meta name="viewport" content="width=device-width"><title>UPI</title><p>' . htmlspecialchars($why->getMessage(), ENT_QUOTES, 'UTF-8') . "</p><p><a href=\"$back\">Back to the invoice</a></p>";
}
