-- Orders of customers, all in memory: inserts, an index, joins, groups, deletes. Parameter :orders says how many.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER NOT NULL, cents INTEGER NOT NULL, note TEXT NOT NULL);

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :orders / 10)
INSERT INTO customers SELECT i, printf('customer %d', i * 7919 % 100003) FROM n;

WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :orders)
INSERT INTO orders
SELECT i, 1 + i * 31 % (:orders / 10), i * 7919 % 10007, substr(hex(i * 104729) || printf('%.*c', i % 90, 'x'), 1, 80)
FROM n;

CREATE INDEX by_customer ON orders (customer, cents);

SELECT 'orders', count(*), sum(cents), sum(length(note)) FROM orders;
SELECT 'best', name, sum(cents) AS total
FROM customers JOIN orders ON customer = customers.id
GROUP BY customers.id ORDER BY total DESC, name LIMIT 3;
SELECT 'notes', count(*), max(length(notes))
FROM (SELECT group_concat(note, ', ') AS notes FROM orders GROUP BY cents % 997 ORDER BY 1);

UPDATE orders SET note = note || cents WHERE id % 3 = 0;
DELETE FROM orders WHERE id % 2 = 0;
SELECT 'left', count(*), sum(length(note)) FROM orders;
SELECT 'check', integrity_check FROM pragma_integrity_check;
