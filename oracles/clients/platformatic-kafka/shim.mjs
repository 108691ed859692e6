// What @platformatic/kafka expects of Node 22, for Node 20.
Promise.withResolvers ??= function withResolvers() {
  const resolvers = {};
  resolvers.promise = new this((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
};
