<?php
// Does what each line of standard input asks, with the PHP client, and answers with a line.
namespace Milaan;

require_once getenv('MILAAN_CLIENT');

function answer(array $ask)
{
    $args = $ask['args'] ?? [];
    if ($ask['call'] === 'verifyWebhook') {
        return Milaan::verifyWebhook(base64_decode($args['body']), $args['headers'], $args['secret'], $args['options'] ?? []);
    }
    if ($ask['call'] === 'startConnect') {
        return Milaan::startConnect($ask['baseUrl'], $args);
    }
    if ($ask['call'] === 'finishConnect') {
        return Milaan::finishConnect($args['kept'], $args['query']);
    }
    $milaan = new Milaan($ask['baseUrl'], $ask['apiKey'], $ask['options'] ?? []);
    switch ($ask['call']) {
        case 'createOrder':
            return $milaan->createOrder($args);
        case 'getOrder':
            return $milaan->getOrder($args['orderId']);
        case 'listOrders':
            return $milaan->listOrders($args);
        case 'orders':
            return iterator_to_array($milaan->orders($args), false);
        default:
            $found = iterator_to_array($milaan->reconcile($args['pending']), false);
            return array_map(static fn (array $one): array => ['error' => $one['error'] ? facts($one['error']) : null] + $one, $found);
    }
}

function facts(MilaanError $error): array
{
    return ['message' => $error->getMessage()] + get_object_vars($error);
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $said = ['value' => answer(json_decode($line, true))];
    } catch (MilaanError $error) {
        $said = ['error' => facts($error)];
    } catch (WebhookRefused $refused) {
        $said = ['refused' => $refused->reason];
    } catch (\InvalidArgumentException $mistake) {
        $said = ['mistake' => $mistake->getMessage()];
    }
    echo json_encode($said), "\n";
}
