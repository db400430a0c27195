<?php
/** As much of WordPress and WooCommerce as the plugin's rules touch. What they do to a real shop the drill sees. */

define('ABSPATH', '/');
define('MINUTE_IN_SECONDS', 60);

/** The shop of one test: its options, orders, mails, planned checks, and what Milaan answers next. */
final class Shop
{
    public static array $options = [];
    public static array $orders = [];
    public static array $products = [];
    public static array $mails = [];
    public static array $planned = [];
    public static array $logged = [];
    /** Called with method, address and body for each request to Milaan; returns status and body. */
    public static $milaan;

    public static function open(): void
    {
        self::$options = [
            'admin_email' => 'owner@shop.example',
            'woocommerce_milaan_settings' => ['mode' => 'live', 'enabled' => 'yes'],
            'milaan_connections' => [
                'live' => ['base_url' => 'https://pay.example.in', 'api_key' => 'ml_live_key', 'webhook_secret' => LIVE_SECRET, 'payment_account_id' => 'acc_1', 'business_name' => 'Chai'],
                'sandbox' => ['base_url' => 'https://sandbox.example.in', 'api_key' => 'ml_test_key', 'webhook_secret' => SANDBOX_SECRET, 'payment_account_id' => '', 'business_name' => 'Chai'],
            ],
        ];
        self::$orders = self::$products = self::$mails = self::$planned = self::$logged = [];
        self::$milaan = function () {
            throw new RuntimeException('nobody was to be asked');
        };
    }
}

class WC_Product
{
    public function __construct(public int $id, public string $name, public int $stock, public bool $backorders = false, public int $held = 0)
    {
        Shop::$products[$id] = $this;
    }
    public function get_name(): string { return $this->name; }
    public function is_in_stock(): bool { return $this->stock > 0; }
    public function managing_stock(): bool { return true; }
    public function backorders_allowed(): bool { return $this->backorders; }
    public function get_stock_managed_by_id(): int { return $this->id; }
    public function get_stock_quantity(): int { return $this->stock; }
}

class WC_Order_Item
{
    public function __construct(private WC_Product $product, private int $quantity) {}
    public function get_product(): WC_Product { return $this->product; }
    public function get_name(): string { return $this->product->name; }
    public function get_quantity(): int { return $this->quantity; }
}

class WC_Order
{
    public array $meta = [];
    public array $notes = [];
    public array $items = [];
    public string $transaction_id = '';
    public bool $stock_reduced = false;
    public int $completed = 0;
    public ?int $refunded = null;
    public function __construct(public int $id, public float $total = 500.0, public string $status = 'pending', public string $currency = 'INR')
    {
        Shop::$orders[$id] = $this;
    }
    public function get_id(): int { return $this->id; }
    public function get_order_number(): string { return (string) $this->id; }
    public function get_order_key(): string { return 'wc_order_key'; }
    public function get_total(): string { return (string) $this->total; }
    public function get_currency(): string { return $this->currency; }
    public function get_status(): string { return $this->status; }
    public function has_status($status): bool { return in_array($this->status, (array) $status, true); }
    public function is_paid(): bool { return $this->has_status(['processing', 'completed']); }
    public function needs_payment(): bool { return $this->has_status(['pending', 'failed']) && $this->total > 0; }
    public function get_meta(string $name) { return $this->meta[$name] ?? ''; }
    public function update_meta_data(string $name, $value): void { $this->meta[$name] = $value; }
    public function save_meta_data(): void {}
    public function save(): void {}
    public function add_order_note(string $note): void { $this->notes[] = $note; }
    public function set_transaction_id(string $id): void { $this->transaction_id = $id; }
    public function get_transaction_id(): string { return $this->transaction_id; }
    public string $method = 'milaan';
    public ?int $date_paid = null;
    public function get_payment_method(): string { return $this->method; }
    public function set_payment_method(string $method): void { $this->method = $method; }
    public function set_status(string $status): void { $this->status = $status; }
    public function get_date_paid(): ?int { return $this->date_paid; }
    public function get_items(): array { return $this->items; }
    public function get_data_store(): self { return $this; }
    public function get_stock_reduced($id): bool { return $this->stock_reduced; }
    public function get_edit_order_url(): string { return "https://shop.example/edit/$this->id"; }
    public function get_checkout_order_received_url(): string { return "https://shop.example/received/$this->id"; }
    public function get_checkout_payment_url(): string { return "https://shop.example/pay/$this->id"; }
    public function get_billing_email(): string { return 'asha@customer.example'; }
    public function get_formatted_billing_full_name(): string { return 'Asha Rao'; }
    public function get_amount(): float { return (float) $this->refunded; }
    public function update_status(string $status, string $note = ''): bool
    {
        if ($note !== '') {
            $this->notes[] = $note;
        }
        $this->status = $status;
        if ($status === 'on-hold') {
            $this->take_stock();
        }
        return true;
    }
    /** From these alone does WooCommerce complete a payment; from others it says yes and does nothing. */
    public function payment_complete(string $transaction_id = ''): bool
    {
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->transaction_id = $transaction_id;
            $this->status = 'processing';
            $this->completed++;
            $this->date_paid = time();
            $this->take_stock();
        }
        return true;
    }
    private function take_stock(): void
    {
        if ($this->stock_reduced || in_array(false, array_map(fn ($filter) => $filter(true), $GLOBALS['filters']['woocommerce_payment_complete_reduce_order_stock'] ?? []), true)) {
            return;
        }
        $this->stock_reduced = true;
        foreach ($this->items as $item) {
            $item->get_product()->stock -= $item->get_quantity();
        }
    }
}

/** Keeps names unique, as the options table does; that is all the lock needs. */
$wpdb = new class {
    public string $options = 'wp_options';
    public array $rows = [];
    public function prepare(string $sql, ...$values): array { return [$sql, $values]; }
    public function query(array $prepared): int
    {
        [$sql, $values] = $prepared;
        if (strpos($sql, 'insert ignore') === 0) {
            if (isset($this->rows[$values[0]])) {
                return 0;
            }
            $this->rows[$values[0]] = $values[1];
            return 1;
        }
        if (strpos($sql, 'update') === 0) {
            $stale = isset($this->rows[$values[1]]) && (int) $this->rows[$values[1]] < $values[2];
            $this->rows[$values[1]] = $stale ? $values[0] : $this->rows[$values[1]];
            return $stale ? 1 : 0;
        }
        $mine = substr($this->rows[$values[0]] ?? '', -16) === ltrim($values[1], '%');
        if ($mine) {
            unset($this->rows[$values[0]]);
        }
        return (int) $mine;
    }
};
$filters = [];

if (!function_exists('mb_substr')) {
    /** WordPress brings this one where PHP came without it. */
    function mb_substr(string $text, int $start, int $length): string
    {
        return implode('', array_slice(preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY), $start, $length));
    }
}
function __(string $text): string { return $text; }
function esc_html__(string $text): string { return $text; }
function add_action(): void {}
function add_filter(string $name, callable $filter): void { $GLOBALS['filters'][$name][] = $filter; }
function remove_filter(string $name, callable $filter): void
{
    $GLOBALS['filters'][$name] = array_filter($GLOBALS['filters'][$name] ?? [], fn ($one) => $one !== $filter);
}
function plugin_basename(string $file): string { return basename($file); }
function get_option(string $name, $default = false) { return Shop::$options[$name] ?? $default; }
function update_option(string $name, $value): void { Shop::$options[$name] = $value; }
function wp_generate_password(int $length): string { return substr(bin2hex(random_bytes($length)), 0, $length); }
function wp_cache_supports(): bool { return false; }
function clean_post_cache(): void {}
function wc_get_order($id) { return Shop::$orders[$id] ?? false; }
function wc_get_product($id) { return Shop::$products[$id] ?? false; }
function wc_get_held_stock_quantity(WC_Product $product): int { return $product->held; }
function wc_get_order_status_name(string $status): string { return ucfirst($status); }
function wc_get_logger()
{
    return new class {
        public function log(string $level, string $line): void { Shop::$logged[] = "$level: $line"; }
    };
}
function wp_mail(string $to, string $subject, string $text): void { Shop::$mails[] = [$to, $subject, $text]; }
function home_url(string $path = ''): string { return 'https://shop.example' . $path; }
function add_query_arg($name, $value, $url = null): string { return "$url?$name=$value"; }
function untrailingslashit(string $text): string { return rtrim($text, '/'); }
function esc_url_raw(string $url): string { return filter_var($url, FILTER_VALIDATE_URL) ? $url : ''; }
function wp_parse_url(string $url, int $part) { return parse_url($url, $part); }
function is_email(string $address): bool { return strpos($address, '@') !== false; }
function current_user_can(): bool { return false; }
function is_wp_error($value): bool { return $value instanceof RuntimeException; }
function as_has_scheduled_action(string $hook, array $args): bool { return in_array($args, array_column(Shop::$planned, 1), true); }
/** "Unique" as Action Scheduler means it: one waiting action of the hook keeps out every other, whatever its arguments. */
function as_schedule_single_action(int $at, string $hook, array $args, string $group, bool $unique = false): void
{
    if (!$unique || Shop::$planned === []) {
        Shop::$planned[] = [$at - time(), $args];
    }
}
function wp_remote_request(string $url, array $request)
{
    try {
        [$status, $body] = (Shop::$milaan)($request['method'], $url, $request['body'] === null ? null : json_decode($request['body'], true));
    } catch (RuntimeException $problem) {
        return new class($problem->getMessage()) extends RuntimeException {
            public function get_error_message(): string { return $this->getMessage(); }
        };
    }
    return ['status' => $status, 'body' => json_encode($body)];
}
function wp_remote_retrieve_headers(array $answer): array { return []; }
function wp_remote_retrieve_response_code(array $answer): int { return $answer['status']; }
function wp_remote_retrieve_body(array $answer): string { return $answer['body']; }
