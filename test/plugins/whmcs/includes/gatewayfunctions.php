<?php
/** Of the documentation's page on callbacks: settings, log, and two checks that end the program. */

function getGatewayVariables(string $name): array
{
    return Books::with(fn (array $books): array => $books['gateway']);
}

function logTransaction(string $gateway, $data, string $status): void
{
    Books::with(function (array &$books) use ($gateway, $data, $status): void {
        $books['log'][] = ['gateway' => $gateway, 'data' => $data, 'status' => $status];
    });
}

function checkCbInvoiceID($id, string $gateway): int
{
    $known = Books::with(fn (array $books): bool => isset($books['invoices'][$id]));
    if (!$known) {
        logTransaction($gateway, ['id' => $id], 'Invoice ID Not Found');
        exit;
    }
    return (int) $id;
}

function checkCbTransID(string $id): void
{
    $known = Books::with(function (array $books) use ($id): bool {
        foreach ($books['invoices'] as $invoice) {
            if (in_array($id, array_column($invoice['transactions'], 'transid'), true)) {
                return true;
            }
        }
        return false;
    });
    if ($known) {
        exit;
    }
}
