<?php
/** Milaan's webhook: the only way by which a payment comes into WHMCS. What is in the address counts for nothing. */

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
// Until the end is reached nothing is done: also where WHMCS ends the program by itself, as for a transaction it has.
$body = (string) file_get_contents('php://input', false, null, 0, Milaan\Whmcs\LONGEST_WEBHOOK + 1);
http_response_code(Milaan\Whmcs\take_webhook($body, $_SERVER, $gateway));
