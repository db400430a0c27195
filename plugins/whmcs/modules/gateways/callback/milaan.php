<?php
/** Milaan's webhook: the only way in which a payment comes into WHMCS. Nothing in the address is trusted. */

require_once __DIR__ . '/../../../init.php';
require_once __DIR__ . '/../../../includes/gatewayfunctions.php';
require_once __DIR__ . '/../../../includes/invoicefunctions.php';
require_once __DIR__ . '/../milaan/Milaan.php';
require_once __DIR__ . '/../milaan/start-link.php';
require_once __DIR__ . '/../milaan/invoice.php';
require_once __DIR__ . '/../milaan/take-webhook.php';

$gateway = getGatewayVariables('milaan');
if (empty($gateway['type'])) {
    http_response_code(503);
    die('Module Not Activated');
}
// WHMCS itself may end the program in here, for instance for a known transaction. PHP then answers 200.
$body = (string) file_get_contents('php://input', false, null, 0, Milaan\Whmcs\LONGEST_WEBHOOK + 1);
http_response_code(Milaan\Whmcs\take_webhook($body, $_SERVER, $gateway));
