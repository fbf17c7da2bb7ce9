; Which root numbers a binary tree of depth 6, as heaps do, so that its numbers add up to 2016? Only 1 does.
(declare-datatypes ((Tree 0)) (((leaf) (node (left Tree) (value Int) (right Tree)))))
(define-fun-rec build ((depth Int) (root Int)) Tree
  (ite (<= depth 0) leaf (node (build (- depth 1) (* 2 root)) root (build (- depth 1) (+ 1 (* 2 root))))))
(define-fun-rec sum ((tree Tree)) Int
  (ite ((_ is leaf) tree) 0 (+ (sum (left tree)) (value tree) (sum (right tree)))))
(declare-const root Int)
(assert (> root 0))
(assert (= (sum (build 6 root)) 2016))
(check-sat)
(get-value (root))
