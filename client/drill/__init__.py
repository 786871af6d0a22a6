"""The drill: one's costliest decisions as exercises, which come again at growing distances."""
