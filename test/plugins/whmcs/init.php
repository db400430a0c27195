<?php
/**
 * As much of WHMCS as its public documentation tells of and the module uses, with its books in one file. WHMCS itself is
 * commercial and was not run.
 */

namespace {
    define('WHMCS', true);

    final class Books
    {
        /** Reads and, where `$work` changes them, writes the books, one process at a time. */
        public static function with(callable $work)
        {
            $path = getenv('WHMCS_BOOKS');
            $lock = fopen("$path.lock", 'c');
            flock($lock, LOCK_EX);
            $books = $before = json_decode(file_get_contents($path), true);
            $answer = $work($books);
            if ($books !== $before) {
                // Renamed into place: the test reads without asking for the lock.
                file_put_contents("$path.new", json_encode($books));
                rename("$path.new", $path);
            }
            fclose($lock);
            return $answer;
        }
    }

    /** developers.whmcs.com, "Internal API": an array with `result`. */
    function localAPI(string $command, array $values): array
    {
        return Books::with(function (array &$books) use ($command, $values): array {
            switch ($command) {
                case 'GetInvoice':
                    $invoice = $books['invoices'][$values['invoiceid']] ?? null;
                    if ($invoice === null) {
                        return ['result' => 'error', 'message' => 'Invoice ID Not Found'];
                    }
                    $paid = array_sum(array_column($invoice['transactions'], 'amountin'));
                    return [
                        'result' => 'success',
                        'invoiceid' => (string) $values['invoiceid'],
                        'userid' => $invoice['userid'],
                        'status' => $invoice['status'],
                        'total' => number_format($invoice['total'], 2, '.', ''),
                        'balance' => number_format($invoice['total'] - $paid, 2, '.', ''),
                        // Without transactions WHMCS gives an empty text, not an empty list.
                        'transactions' => $invoice['transactions'] === [] ? '' : ['transaction' => $invoice['transactions']],
                    ];
                case 'GetClientsDetails':
                    return ['result' => 'success'] + $books['clients'][$values['clientid']];
                case 'SendAdminEmail':
                    $books['mails'][] = $values;
                    return ['result' => 'success'];
            }
            throw new LogicException("no such command: $command");
        });
    }
}

namespace WHMCS\Database {
    /** The locks that MySQL keeps for a connection, kept by files for a process. */
    final class Capsule
    {
        private static array $held = [];

        public static function connection(): self { return new self(); }
        public function getPdo(): self { return $this; }
        public function prepare(string $sql): self
        {
            if ($sql !== 'select get_lock(?, 10)') {
                throw new \LogicException($sql);
            }
            return $this;
        }
        public function execute(array $values): bool
        {
            $file = fopen(getenv('WHMCS_BOOKS') . '.' . preg_replace('/\W/', '-', $values[0]), 'c');
            flock($file, LOCK_EX);
            self::$held[] = $file;
            return true;
        }
        public function fetchColumn(): string { return '1'; }
        public static function free(): void { self::$held = []; }
    }
    register_shutdown_function([Capsule::class, 'free']);
}
