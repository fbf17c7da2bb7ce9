// Work for a compiler: a search tree, written here, with its functions for each of TYPES value types.
#ifndef TYPES
#error "say how many types with -DTYPES=N"
#endif

template <int N> struct Value {
  long words[N % 5 + 1];
  bool operator<(const Value &other) const { return words[0] * (N + 1) < other.words[N % 5] + N; }
};

template <typename T> class Tree {
public:
  ~Tree() { drop(root); }

  bool insert(const T &value) {
    Node **place = find(value);
    if (*place != nullptr) {
      return false;
    }
    *place = new Node{value, nullptr, nullptr};
    count++;
    return true;
  }

  template <typename Visitor> void each(Visitor visit) const { walk(root, visit); }

  unsigned size() const { return count; }

private:
  struct Node {
    T value;
    Node *left;
    Node *right;
  };

  Node **find(const T &value) {
    Node **place = &root;
    while (*place != nullptr && (value < (*place)->value || (*place)->value < value)) {
      place = value < (*place)->value ? &(*place)->left : &(*place)->right;
    }
    return place;
  }

  template <typename Visitor> static void walk(const Node *node, Visitor &visit) {
    if (node != nullptr) {
      walk(node->left, visit);
      visit(node->value);
      walk(node->right, visit);
    }
  }

  static void drop(Node *node) {
    if (node != nullptr) {
      drop(node->left);
      drop(node->right);
      delete node;
    }
  }

  Node *root = nullptr;
  unsigned count = 0;
};

template <int N> long weigh(long seed) {
  Tree<Value<N>> tree;
  for (int i = 0; i < N + 10; i++) {
    Value<N> value{};
    for (long &word : value.words) {
      word = seed = seed * 16807 % 2147483647;
    }
    tree.insert(value);
  }
  long sum = 0;
  tree.each([&sum](const Value<N> &value) { sum += value.words[N % 5] ^ N; });
  return sum + tree.size() + weigh<N - 1>(seed);
}

template <> long weigh<0>(long seed) { return seed; }

long weigh_all(long seed) { return weigh<TYPES>(seed); }
