<?php
/** An invoice's page, as far as the module has a say in it: the parameters are those that the documentation lists. */

require __DIR__ . '/init.php';
require __DIR__ . '/includes/gatewayfunctions.php';
require __DIR__ . '/modules/gateways/milaan.php';

$id = (int) $_GET['id'];
$gateway = getGatewayVariables('milaan');
$invoice = localAPI('GetInvoice', ['invoiceid' => $id]);
$client = localAPI('GetClientsDetails', ['clientid' => $invoice['userid']]);
$converted = $client['currency_code'] !== 'INR' && !empty($gateway['convertto']);
echo milaan_link([
    'invoiceid' => $id,
    'amount' => $converted ? '41000.00' : $invoice['balance'],
    'currency' => $converted ? 'INR' : $client['currency_code'],
    'langpaynow' => 'Pay <Now>',
    'returnurl' => $gateway['systemurl'] . "viewinvoice.php?id=$id",
] + ($converted ? ['basecurrencyamount' => $invoice['balance'], 'basecurrency' => $client['currency_code']] : []) + $gateway);
